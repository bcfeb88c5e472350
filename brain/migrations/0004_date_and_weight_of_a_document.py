from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('brain', '0003_quotes_of_a_number'),
    ]

    operations = [
        migrations.AddField(
            model_name='source',
            name='dated_by',
            field=models.CharField(blank=True, choices=[('text', 'from its text'), ('name', 'from its file name'), ('file', "from the file's properties"), ('person', 'set by a person')], default='', max_length=6),
        ),
        migrations.AlterField(
            model_name='source',
            name='authority',
            field=models.SmallIntegerField(choices=[(-1, 'draft'), (0, 'usual'), (1, 'decisive')], default=0),
        ),
    ]
