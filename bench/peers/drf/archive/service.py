from setting import create_tables, read_records, set_up

set_up(__name__, ['archive'])

from archive.models import Category, Language, Speaker, Tag, Talk
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.urls import path
from rest_framework import generics, serializers

records = read_records()


def named(model, **options):
    return serializers.SlugRelatedField(slug_field='name', queryset=model.objects.all(), **options)


class Time(serializers.DateTimeField):
    def to_representation(self, value):
        return value.isoformat(timespec='milliseconds')


class TalkSerializer(serializers.ModelSerializer):
    category = named(Category)
    language = named(Language)
    speakers = named(Speaker, many=True)
    tags = named(Tag, many=True)
    added = Time()
    updated = Time()

    class Meta:
        model = Talk
        fields = list(records[0])


class TalkView(generics.RetrieveUpdateAPIView):
    # Two tables joined, two asked once each: the fewest questions there are.
    queryset = Talk.objects.select_related('category', 'language').prefetch_related('speakers', 'tags')
    serializer_class = TalkSerializer


urlpatterns = [path('api/v2/video/<int:pk>', TalkView.as_view())]


def to_named(model, name):
    return model.objects.get_or_create(name=name)[0]


def save(record):
    plain = dict(record)
    speakers = [to_named(Speaker, name) for name in plain.pop('speakers')]
    tags = [to_named(Tag, name) for name in plain.pop('tags')]
    plain['category'] = to_named(Category, plain['category'])
    plain['language'] = to_named(Language, plain['language'])
    talk = Talk.objects.create(**plain)
    talk.speakers.set(speakers)
    talk.tags.set(tags)


if create_tables([Category, Language, Speaker, Tag, Talk]):
    with transaction.atomic():
        for record in records:
            save(record)
connection.close()

application = get_wsgi_application()
