from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from brain.views import accounts, brains, health, inspect, jobs, models, people

account_urls = [
    path("setup/<str:token>/", accounts.setup, name="setup"),
    path("login/", accounts.login_page, name="login"),
    path("logout/", accounts.logout_now, name="logout"),
    path("password/", accounts.password, name="password"),
    path("language/", accounts.language, name="language"),
    path("invitation/<str:person>/<str:token>/", accounts.invitation, name="invitation"),
]

# Prefix: /people/, for those who administer the installation.
people_urls = [
    path("people/", people.people, name="people"),
    path("people/<int:person_id>/link/", people.person_link, name="person_link"),
    path("people/<int:person_id>/switch/", people.person_switch, name="person_switch"),
    path("people/<int:person_id>/delete/", people.person_delete, name="person_delete"),
]

# Prefix: /brains/<id>/
brain_urls = [
    path("settings/", brains.brain_settings, name="brain_settings"),
    path("rename/", brains.brain_rename, name="brain_rename"),
    path("hints/", brains.brain_hints, name="brain_hints"),
    path("delete/", brains.brain_delete, name="brain_delete"),
    path("members/", brains.member_set, name="member_set"),
    path("members/<int:person_id>/remove/", brains.member_remove, name="member_remove"),
    path("inspect/", inspect.inspect, name="inspect"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", brains.home, name="home"),
    *account_urls,
    *people_urls,
    path("brains/<uuid:brain_id>/", include(brain_urls)),
    path("jobs/", jobs.jobs, name="jobs"),
    path("models/", models.models, name="models"),
    path("health/", health.health, name="health"),
    path("healthz", health.healthz, name="healthz"),
    path("metrics", health.metrics, name="metrics"),
    path("", include("ingestion.urls")),
    path("", include("graphqa.urls")),
    # Pages of the admin name no icon, so browsers ask for this one.
    path("favicon.ico", login_not_required(RedirectView.as_view(url=f"{settings.STATIC_URL}icon.svg")), name="favicon"),
    path("admin/login/", accounts.admin_login),
    path("admin/", admin.site.urls),
]

handler500 = "brain.views.errors.broken"
