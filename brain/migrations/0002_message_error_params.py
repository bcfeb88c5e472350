from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('brain', '0001_ledger'),
    ]

    operations = [
        migrations.AddField(
            model_name='message',
            name='error_params',
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
