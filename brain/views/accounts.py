"""Set-up, login, password, language."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.tokens import default_token_generator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_decode
from django.utils.translation import check_for_language, get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from brain.audit import note
from brain.forms import ChoosePasswordForm, LoginForm, SetupForm
from brain.models import User
from brain.requests import OpenRequest, PersonRequest
from brain.setup import create_first_owner, is_setup_token
from brain.throttle import MINUTES, count_failure, forgive, is_throttled


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """The one-time link of the first start."""
    if not is_setup_token(token):
        return _no_setup(request)
    form = SetupForm(request.POST or None, initial={"brain_name": _("My brain")})
    if request.method == "POST" and form.is_valid():
        made = create_first_owner(
            username=form.cleaned_data["username"],
            password=form.cleaned_data["password1"],
            brain_name=form.cleaned_data["brain_name"],
            language=get_language() or "en",
        )
        if made is None:
            return _no_setup(request)
        owner, brain = made
        note(owner, "setup", brain=brain.id)
        login(request, owner, backend=settings.AUTHENTICATION_BACKENDS[0])
        return redirect("sources", brain.id)
    return render(request, "brain/setup.html", {"form": form})


def _no_setup(request: HttpRequest) -> HttpResponse:
    """Once there is a person every such link is used up; before, a wrong one is nothing at all."""
    if not User.objects.filter(is_active=True).exists():
        raise Http404
    return render(request, "brain/setup_over.html", status=404)


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def login_page(request: OpenRequest) -> HttpResponse:
    """Who is in already goes on; an htmx request whose session has ended reloads the whole page."""
    if request.htmx and request.method == "GET":
        return HttpResponseClientRedirect(reverse("login"))
    if request.user.is_authenticated:
        return redirect(_next_page(request))
    form = LoginForm(request, request.POST or None)
    if request.method != "POST":
        return render(request, "brain/login.html", {"form": form, "next": request.GET.get("next", "")})
    name, address = request.POST.get("username", ""), str(request.META.get("REMOTE_ADDR", ""))
    if is_throttled(name, address):
        return _too_many(request)
    if not form.is_valid():
        count_failure(name, address)
        return render(request, "brain/login.html", {"form": form, "next": request.POST.get("next", "")}, status=400)
    forgive(name, address)
    user = form.get_user()
    assert isinstance(user, User)
    login(request, user)
    note(user, "login")
    return _with_language(redirect(_next_page(request)), user.language)


@login_not_required
def admin_login(request: OpenRequest) -> HttpResponse:
    """One way in: the admin's own login page knows no throttling. It is opened too for somebody whom the admin turned
    away, and the login page would send them back."""
    if request.user.is_authenticated:
        raise Http404
    return redirect(f"{reverse('login')}?{request.GET.urlencode(safe='/')}")


def _too_many(request: HttpRequest) -> HttpResponse:
    sentence = _("Too many attempts. Wait %(minutes)s minutes, then try again.") % {"minutes": MINUTES}
    page = {"form": LoginForm(request), "refused": sentence}
    response = render(request, "brain/login.html", page, status=429)
    response["Retry-After"] = str(MINUTES * 60)
    return response


@require_POST
def logout_now(request: PersonRequest) -> HttpResponse:
    note(request.user, "logout")
    logout(request)
    return redirect("login")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: PersonRequest) -> HttpResponse:
    """Changing the password ends every other session of the person."""
    form = PasswordChangeForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        note(request.user, "password")
        messages.success(request, _("Your password is changed. Other devices have to log in again."))
        return redirect("home")
    return render(request, "brain/password.html", {"form": form}, status=400 if form.errors else 200)


@login_not_required
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, person: str, token: str) -> HttpResponse:
    """A one-time link on which an invited person chooses a password. It is used up when the password is set."""
    user = _invited(person)
    if user is None or not default_token_generator.check_token(user, token):
        return render(request, "brain/invitation_over.html", status=404)
    form = ChoosePasswordForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
        note(user, "invitation_used")
        return redirect("home")
    page = {"form": form, "person": user}
    return render(request, "brain/invitation.html", page, status=400 if form.errors else 200)


def _invited(encoded: str) -> User | None:
    try:
        key = int(urlsafe_base64_decode(encoded))
    except ValueError:
        return None
    return User.objects.filter(pk=key, is_active=True).first()


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Switch the language of the interface; kept with the person and in this browser."""
    wanted = request.POST.get("language", "")
    response = redirect(_next_page(request))
    if wanted not in dict(settings.LANGUAGES) or not check_for_language(wanted):
        return response
    if isinstance(request.user, User):
        request.user.language = wanted
        request.user.save(update_fields=["language"])
    return _with_language(response, wanted)


def _with_language(response: HttpResponseRedirect, wanted: str) -> HttpResponseRedirect:
    if wanted:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, wanted, max_age=365 * 86400, samesite="Lax", secure=settings.HTTPS
        )
    return response


def _next_page(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if safe else "home"
