"""Requests about the account: guest, name and password, settings, notices."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sandtable.server.accounts import EVENTS, Notify, User, settings_text, with_new_email
from sandtable.server.answers import endpoint, json_response
from sandtable.server.gate import COOKIE
from sandtable.server.listing import list_of
from sandtable.server.notices import checked_webhook
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings


class GuestWish(msgspec.Struct):
    name: str = ""
    token: bool = False
    fresh: bool = False
    """Whether a cookie of an account that is not valid any more may be overwritten."""


class NamedWish(msgspec.Struct):
    name: str
    password: str
    token: bool = False


class LogoutWish(msgspec.Struct):
    everywhere: bool = False


class NotifyWish(msgspec.Struct):
    email: str | None = None
    webhook: str | None = None
    on: list[str] | None = None


class UserWish(msgspec.Struct):
    name: str | None = None
    password: str | None = None
    old_password: str = ""
    notify: NotifyWish | None = None
    settings: dict[str, Any] | None = None


class CodeWish(msgspec.Struct):
    code: str


def user_card(request: Request, user: User) -> dict[str, Any]:
    """An account as its owner sees it."""
    notify = user.notify
    told = {
        "email": notify.email,
        "email_confirmed": notify.confirmed,
        "webhook": notify.webhook,
        "on": notify.on,
    }
    possible = request.app.state.hall.notices.possible
    return {
        "id": user.id,
        "name": user.name,
        "guest": user.guest,
        "notify": told,
        "notify_possible": possible,
        "settings": user.settings,
    }


def _entered(request: Request, user: User, *, token: bool) -> Response:
    told: dict[str, Any] = {"user": user_card(request, user)}
    if token:
        told["token"] = request.app.state.accounts.token(user)
    response: Response = request.app.state.gate.remember(request, json_response(told), user)
    return response


@endpoint
async def me(request: Request) -> Response:
    """GET /api/me"""
    state = request.app.state
    user = await state.gate.user(request)
    if user is None:
        return json_response({"user": None, "unread": 0})
    waiting = [match for match in await list_of(state.hall, user) if match["your_turn"]]
    return json_response({"user": user_card(request, user), "unread": len(waiting)})


@endpoint
async def guest(request: Request) -> Response:
    """POST /api/guest"""
    state = request.app.state
    wish = await state.gate.body(request, GuestWish)
    user = await state.gate.user(request)
    if user is None:
        await state.gate.check_entry(request)
        lost = None if wish.fresh else await state.gate.lost_user(request)
        if lost is not None:
            who = f"{lost.name} (a guest)" if lost.guest else lost.name
            raise Refused("account_lost", f"This browser was {who}: log in again, or begin as a new guest.")
        user = await state.accounts.guest(wish.name)
    return _entered(request, user, token=wish.token)


@endpoint
async def register(request: Request) -> Response:
    """POST /api/register"""
    state = request.app.state
    wish = await state.gate.body(request, NamedWish)
    await state.gate.check_entry(request)
    user = await state.accounts.register(await state.gate.user(request), wish.name, wish.password)
    return _entered(request, user, token=wish.token)


@endpoint
async def login(request: Request) -> Response:
    """POST /api/login"""
    state = request.app.state
    wish = await state.gate.body(request, NamedWish)
    await state.gate.check_entry(request)
    user = await state.gate.check_password(request, wish.name, lambda: state.accounts.login(wish.name, wish.password))
    return _entered(request, user, token=wish.token)


@endpoint
async def logout(request: Request) -> Response:
    """POST /api/logout"""
    state = request.app.state
    wish = await state.gate.body(request, LogoutWish)
    user = await state.gate.user(request)
    if user is not None and wish.everywhere:
        await state.accounts.logout_everywhere(user)
        await state.hall.part_from(user.id, 4401)
    response = json_response({})
    response.delete_cookie(COOKIE, path="/")
    return response


@endpoint
async def change_me(request: Request) -> Response:
    """PUT /api/me"""
    state = request.app.state
    user: User = await state.gate.known_user(request)
    wish = await state.gate.body(request, UserWish)
    accounts = state.accounts
    notify = _notify(user.notify, wish.notify, state.hall.settings) if wish.notify is not None else user.notify
    new_code = bool(notify.code) and notify.code != user.notify.code
    # whatever is refused is refused before anything is kept
    if wish.name is not None:
        await accounts.new_name(user, wish.name)
    if wish.settings is not None:
        settings_text(wish.settings)
    if new_code:
        state.hall.notices.check_mail()
        await state.gate.check_entry(request)
        await state.gate.check_code(user, notify.email)
    if wish.password is not None:
        await state.gate.check_entry(request)
        who, old, new = user, wish.old_password, wish.password
        user = await state.gate.check_password(request, who.name, lambda: accounts.change_password(who, old, new))
        await state.hall.part_from(user.id, 1012)  # those with the new token come back
    if wish.name is not None:
        user = await accounts.rename(user, wish.name)
    if wish.settings is not None:
        user = await accounts.keep_settings(user, wish.settings)
    if wish.notify is not None:
        user = await accounts.keep_notify(user, notify)
        if new_code:
            state.hall.notices.send_code(user)
    return _entered(request, user, token=False)


def _notify(old: Notify, wish: NotifyWish, settings: Settings) -> Notify:
    new = old
    if wish.email is not None and wish.email != old.email:
        new = with_new_email(new, wish.email)
    if wish.webhook is not None:
        new = msgspec.structs.replace(new, webhook=checked_webhook(wish.webhook, private=settings.private_webhooks))
    if wish.on is not None:
        if any(event not in EVENTS for event in wish.on):
            raise Refused("bad_request", f"Notices are about {', '.join(EVENTS)}.")
        new = msgspec.structs.replace(new, on=tuple(dict.fromkeys(wish.on)))
    return new


@endpoint
async def confirm_email(request: Request) -> Response:
    """POST /api/me/email"""
    state = request.app.state
    user = await state.gate.known_user(request)
    wish = await state.gate.body(request, CodeWish)
    await state.gate.check_guess(user)
    user = await state.accounts.confirm_email(user, wish.code)
    return json_response({"user": user_card(request, user)})
