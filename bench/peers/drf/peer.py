"""One record per id from SQLite, as one would write it with Django REST framework: a model, a serializer, a view."""

import json
import os

import django
from django.conf import settings
from django.db.backends.signals import connection_created

settings.configure(
    SECRET_KEY='bench',
    ALLOWED_HOSTS=['*'],
    ROOT_URLCONF=__name__,
    USE_TZ=False,
    INSTALLED_APPS=['rest_framework'],
    # ETag and 304; Content-Length.
    MIDDLEWARE=[
        'django.middleware.http.ConditionalGetMiddleware',
        'django.middleware.common.CommonMiddleware',
    ],
    DATABASES={
        'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': os.environ['PEER_DB'], 'CONN_MAX_AGE': None}
    },
    DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    REST_FRAMEWORK={
        'DEFAULT_RENDERER_CLASSES': ['rest_framework.renderers.JSONRenderer'],
        'DEFAULT_PARSER_CLASSES': ['rest_framework.parsers.JSONParser'],
        'DEFAULT_AUTHENTICATION_CLASSES': [],
        'UNAUTHENTICATED_USER': None,
        'UNICODE_JSON': False,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import path
from rest_framework import generics, serializers

with open(os.environ['PEER_RECORDS'], encoding='utf-8') as lines:
    records = [json.loads(line) for line in lines]


def use_log(sender, connection, **rest):
    """A commit is durable and costs one fsync, as ours."""
    with connection.cursor() as cursor:
        cursor.execute('PRAGMA journal_mode = WAL')
        cursor.execute('PRAGMA synchronous = FULL')


connection_created.connect(use_log)


def to_field(name):
    values = [record[name] for record in records]
    if any(isinstance(value, list) for value in values):
        return models.JSONField(default=list)
    if any(isinstance(value, bool) for value in values):
        return models.BooleanField(default=False)
    if any(isinstance(value, int) for value in values) or 'length' in name:
        return models.IntegerField(null=True)
    return models.TextField(null=True, blank=True)


names = list(records[0])
columns = {name: to_field(name) for name in names if name != 'id'}
meta = type('Meta', (), {'app_label': 'peer'})
Record = type('Record', (models.Model,), {'__module__': __name__, 'Meta': meta, **columns})


class RecordSerializer(serializers.ModelSerializer):
    class Meta:
        model = Record
        fields = names


class RecordView(generics.RetrieveUpdateAPIView):
    queryset = Record.objects.all()
    serializer_class = RecordSerializer


urlpatterns = [path('api/v2/video/<int:pk>', RecordView.as_view())]

if Record._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(Record)
    Record.objects.bulk_create([Record(**record) for record in records])
connection.close()

application = get_wsgi_application()
