from django.db import migrations, models


def look_later(apps, _schema):
    """The rows alone do not tell a file that gives no date from one that was never asked for it."""
    sources = apps.get_model('brain', 'Source').objects.filter(document_date=None, dated_by='', body__isnull=False)
    sources.update(dated_by='later')


def do_not_look(apps, _schema):
    apps.get_model('brain', 'Source').objects.filter(dated_by='later').update(dated_by='')


class Migration(migrations.Migration):

    dependencies = [
        ('brain', '0005_stores_to_make_of_imported_brains'),
    ]

    operations = [
        migrations.AlterField(
            model_name='source',
            name='dated_by',
            field=models.CharField(blank=True, choices=[('text', 'from its text'), ('name', 'from its file name'), ('file', "from the file's properties"), ('person', 'set by a person'), ('later', 'still to be looked for')], default='', max_length=6),
        ),
        migrations.RunPython(look_later, do_not_look),
    ]
