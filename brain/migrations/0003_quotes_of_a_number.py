from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('brain', '0002_message_error_params'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='citation',
            options={'ordering': ['number', 'id']},
        ),
        migrations.RemoveConstraint(
            model_name='citation',
            name='citation_number',
        ),
        migrations.AddConstraint(
            model_name='citation',
            constraint=models.UniqueConstraint(fields=('message', 'number', 'start'), name='citation_place'),
        ),
    ]
