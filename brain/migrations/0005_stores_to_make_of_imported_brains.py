from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('brain', '0004_date_and_weight_of_a_document'),
    ]

    operations = [
        migrations.AddField(
            model_name='brain',
            name='graph_to_make',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name='brain',
            name='vectors_to_make',
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
