from __future__ import annotations

from django.urls import path

from ingestion.views import sources, viewer

brain_urls = [
    path("brains/<uuid:brain_id>/sources/", sources.source_list, name="sources"),
    path("brains/<uuid:brain_id>/upload/", sources.upload, name="upload"),
    path("brains/<uuid:brain_id>/trash/", sources.trash_list, name="trash"),
]

source_urls = [
    path("sources/<uuid:source_id>/", viewer.source, name="source"),
    path("sources/<uuid:source_id>/original/", viewer.original, name="source_original"),
    path("sources/<uuid:source_id>/audio/", viewer.audio, name="source_audio"),
    path("sources/<uuid:source_id>/about/", sources.about, name="source_about"),
    path("sources/<uuid:source_id>/retry/", sources.retry, name="source_retry"),
    path("sources/<uuid:source_id>/reread/", sources.reread, name="source_reread"),
    path("sources/<uuid:source_id>/delete/", sources.trash, name="source_delete"),
    path("sources/<uuid:source_id>/restore/", sources.restore, name="source_restore"),
    path("sources/<uuid:source_id>/purge/", sources.purge, name="source_purge"),
]

urlpatterns = [*brain_urls, *source_urls]
