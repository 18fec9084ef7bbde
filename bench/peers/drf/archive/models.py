"""The archive as its users need it: events, languages, speakers and tags are tables of their own, to be listed and
renamed, and what talks are ordered and filtered by has an index. No history, no search, no tokens."""

from django.db import models


class Named(models.Model):
    name = models.CharField(max_length=300, unique=True)

    class Meta:
        abstract = True


class Category(Named):
    pass


class Language(Named):
    pass


class Speaker(Named):
    pass


class Tag(Named):
    pass


def to_media(kind):
    return {
        f'video_{kind}_length': models.IntegerField(null=True),
        f'video_{kind}_url': models.URLField(max_length=2000, null=True, blank=True),
        f'video_{kind}_download_only': models.BooleanField(default=False),
    }


class Talk(models.Model):
    category = models.ForeignKey(Category, models.PROTECT)
    language = models.ForeignKey(Language, models.PROTECT)
    speakers = models.ManyToManyField(Speaker)
    tags = models.ManyToManyField(Tag)
    slug = models.CharField(max_length=300, db_index=True)
    state = models.IntegerField(default=2, db_index=True)
    title = models.CharField(max_length=1000, db_index=True)
    summary = models.TextField(blank=True)
    description = models.TextField(blank=True)
    quality_notes = models.TextField(blank=True)
    copyright_text = models.TextField(blank=True)
    embed = models.TextField(blank=True)
    thumbnail_url = models.URLField(max_length=2000, blank=True)
    duration = models.IntegerField(null=True)
    for kind in ['ogv', 'mp4', 'webm', 'flv']:
        locals().update(to_media(kind))
    source_url = models.URLField(max_length=2000, blank=True, db_index=True)
    whiteboard = models.TextField(blank=True)
    recorded = models.DateField(null=True, db_index=True)
    added = models.DateTimeField(db_index=True)
    updated = models.DateTimeField(db_index=True)
