from __future__ import annotations

from django.urls import path

from graphqa.views import chat, graph, stream

chat_urls = [
    path("brains/<uuid:brain_id>/ask/", chat.ask, name="ask"),
    path("conversations/<uuid:conversation_id>/", chat.conversation, name="conversation"),
    path("conversations/<uuid:conversation_id>/delete/", chat.conversation_delete, name="conversation_delete"),
    path("messages/<uuid:message_id>/", chat.message, name="message"),
    path("messages/<uuid:message_id>/stream/", stream.stream, name="message_stream"),
    path("messages/<uuid:message_id>/stop/", chat.stop, name="message_stop"),
    path("messages/<uuid:message_id>/feedback/", chat.feedback, name="message_feedback"),
]

graph_urls = [
    path("brains/<uuid:brain_id>/graph/", graph.page, name="graph"),
    path("brains/<uuid:brain_id>/graph/data/", graph.data, name="graph_data"),
    path("brains/<uuid:brain_id>/graph/search/", graph.search, name="graph_search"),
    path("brains/<uuid:brain_id>/graph/entities/<str:key>/", graph.entity, name="graph_entity"),
]

urlpatterns = [*chat_urls, *graph_urls]
