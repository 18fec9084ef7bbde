"""What both peers share: Django's settings, the records, and SQLite that is as durable as Rostrum's."""

import json
import os

import django
from django.conf import settings
from django.db.backends.signals import connection_created


def set_up(urls, apps=()):
    settings.configure(
        SECRET_KEY='bench',
        ALLOWED_HOSTS=['*'],
        ROOT_URLCONF=urls,
        USE_TZ=False,
        INSTALLED_APPS=['rest_framework', *apps],
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
    connection_created.connect(use_log)


def use_log(sender, connection, **rest):
    """A commit is durable and costs one fsync, as ours."""
    with connection.cursor() as cursor:
        cursor.execute('PRAGMA journal_mode = WAL')
        cursor.execute('PRAGMA synchronous = FULL')


def read_records():
    with open(os.environ['PEER_RECORDS'], encoding='utf-8') as lines:
        return [json.loads(line) for line in lines]


def create_tables(models):
    """Makes the tables; tells whether there were none."""
    from django.db import connection

    if models[0]._meta.db_table in connection.introspection.table_names():
        return False
    with connection.schema_editor() as editor:
        for model in models:
            editor.create_model(model)
    return True
