"""One record a row, lists as JSON in it: the least that answers the same. Nothing can be found but by its id."""

from setting import create_tables, read_records, set_up

set_up(__name__)

from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import path
from rest_framework import generics, serializers

records = read_records()


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

if create_tables([Record]):
    Record.objects.bulk_create([Record(**record) for record in records])
connection.close()

application = get_wsgi_application()
