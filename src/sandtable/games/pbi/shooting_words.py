"""Words of shooting, of reactions, hits and saves."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, Preview
from sandtable.games.pbi import actions as a
from sandtable.games.pbi import events as e
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.foot import MORTAR_COST, living, ready_shooters, shooters_at
from sandtable.games.pbi.model import Acting, Driving, Escape, Hits, PbiState, Piece, Window
from sandtable.games.pbi.pointing import ap, cells_of, ids_of, name_of
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.preview import aim, bomb, flame, shell, volley
from sandtable.games.pbi.reaction import reactions, volley_shooters
from sandtable.games.pbi.smallarms import flame_cost
from sandtable.games.pbi.vehicles import GUN_COST, MG_COST
from sandtable.games.pbi.words import named, several, verb


def _window(state: PbiState) -> Window:
    frame = state.stack[-1]
    assert isinstance(frame, Window)
    return frame


def _reacting(state: PbiState) -> bool:
    return isinstance(state.stack[-1], Window)


def _shooters(state: PbiState, at: str) -> list[Piece]:
    frame = state.stack[-1]
    if isinstance(frame, Acting):
        return shooters_at(state, ready_shooters(state, living(state, frame.teams[0])), at)
    assert isinstance(frame, Driving)
    return [state.pieces[frame.pieces[0]]]


# -- descriptions -------------------------------------------------------------------------


def _shoot(state: PbiState, side: str, action: a.Shoot) -> Description:
    at = action.at
    foot = isinstance(state.stack[-1], Acting)
    who = ids_of(_shooters(state, at))
    rule = "foot-ap-cost-shoot" if foot else "vehicle-ap-cost-shoot"
    text = f"{_guns_shoot(state, who)} at {at}"
    return Description(text, "fire", who, (at,), state.at.get(at, ()), rule=rule, cost=ap(MG_COST))


def _volley(state: PbiState, side: str, action: a.Volley) -> Description:
    frame = _window(state)
    who = ids_of(volley_shooters(state, action.at, frame.target))
    start = state.pieces[action.at].at if action.at in state.pieces else action.at
    text = f"{start}: {_guns_shoot(state, who)} at {frame.target}"
    there = state.at.get(frame.target, ())
    facts = shot_facts(state, start, frame.target)
    return Description(text, "fire", who, (frame.target,), there, "odds-opportunity", facts=facts)


def _aim(state: PbiState, side: str, action: a.Aim) -> Description:
    kind = KINDS[state.pieces[action.piece].kind]
    at = state.pieces[action.target].at
    text = f"{name_of(state, action.piece)} shoots at {name_of(state, action.target)} in {at}"
    return _shot(state, text, action.piece, at, action.target, kind.at_ap if kind.foot else GUN_COST, "shooting-hit")


def _shell(state: PbiState, side: str, action: a.Shell) -> Description:
    text = f"{name_of(state, action.piece)} shoots high explosive at {action.at}"
    return _shot(state, text, action.piece, action.at, "", GUN_COST, "he-at-foot")


def _flame(state: PbiState, side: str, action: a.Flame) -> Description:
    id, target = action.piece, action.target
    cost = flame_cost(state.rules, KINDS[state.pieces[id].kind])
    at = state.pieces[target].at if target in state.pieces else target
    what = f"{name_of(state, target)} in {at}" if target in state.pieces else f"the foot in {at}"
    text = f"{name_of(state, id)} burns {what}"
    return _shot(state, text, id, at, target if target != at else "", cost, "odds-flame")


def _bomb(state: PbiState, side: str, action: a.Bomb) -> Description:
    shots = f"{action.shots} shots of high explosive" if action.shots > 1 else "high explosive"
    text = f"{name_of(state, action.piece)}: {'smoke' if action.smoke else shots} on {action.at}"
    group = "smoke" if action.smoke else "fire"
    cost = ap(MORTAR_COST * action.shots)
    return Description(text, group, (action.piece,), (action.at,), rule="artillery-place", cost=cost)


def _hold(state: PbiState, side: str, action: a.Hold) -> Description:
    return Description("Hold fire", "done", rule="odds-opportunity", key="Enter")


def _take_hit(state: PbiState, side: str, action: a.Take) -> Description:
    return _take(state, action.piece, "takes the hit", "take the hit")


def _take_casualty(state: PbiState, side: str, action: a.Take) -> Description:
    return _take(state, action.piece, "is the casualty", "are the casualty")


def _take(state: PbiState, id: str, one: str, more: str) -> Description:
    name = name_of(state, id)
    return Description(f"{name} {verb(1, name, one, more)}", "choose", (id,), cells_of(state, id))


def _guns_shoot(state: PbiState, who: tuple[str, ...]) -> str:
    """Who shoots with small arms; of a vehicle its machine-guns."""
    name = named(state, who)
    if len(who) == 1 and KINDS[state.pieces[who[0]].kind].vehicle:
        return f"{name} shoots machine-guns"
    return f"{name} {verb(len(who), name, 'shoots', 'shoot')}"


def _shot(state: PbiState, text: str, id: str, at: str, target: str, cost: int, rule: str) -> Description:
    price = "" if _reacting(state) else ap(cost)
    facts = shot_facts(state, state.pieces[id].at, at)
    return Description(text, "fire", (id,), (at,), (target,) if target else (), rule, cost=price, facts=facts)


def shot_facts(state: PbiState, start: str, at: str) -> tuple[tuple[str, str], ...]:
    """What standing orders ask of a shot: its range, and whether the target is in the open or near."""
    g = ground_of(state)
    in_open = at not in g.difficult and at not in g.partial
    return (
        ("range", str(g.range[start][at])),
        ("open", "yes" if in_open else "no"),
        ("adjacent", "yes" if start in g.near[at] else "no"),
    )


def _window_bar(state: PbiState, side: str, action: Action) -> Bar | None:
    """In a window of reaction there are only shots (odds-opportunity)."""
    frame = _window(state)
    if action == a.Hold() or action in reactions(state, frame):
        return None
    return f"only shots at {frame.target} are possible now, or holding fire", "odds-opportunity"


# -- previews -----------------------------------------------------------------------------


def _preview_shoot(state: PbiState, side: str, action: a.Shoot) -> Preview:
    return volley(state, _shooters(state, action.at), action.at, reacting=False)


def _preview_volley(state: PbiState, side: str, action: a.Volley) -> Preview:
    target = _window(state).target
    return volley(state, volley_shooters(state, action.at, target), target, reacting=True)


def _preview_aim(state: PbiState, side: str, action: a.Aim) -> Preview:
    return aim(state, state.pieces[action.piece], state.pieces[action.target], reacting=_reacting(state))


def _preview_shell(state: PbiState, side: str, action: a.Shell) -> Preview:
    return shell(state, state.pieces[action.piece], action.at, reacting=_reacting(state))


def _preview_flame(state: PbiState, side: str, action: a.Flame) -> Preview:
    shooter, reacting = state.pieces[action.piece], _reacting(state)
    if action.target in state.pieces:
        return aim(state, shooter, state.pieces[action.target], reacting=reacting, flame=True)
    return flame(state, shooter, action.target, reacting=reacting)


def _preview_bomb(state: PbiState, side: str, action: a.Bomb) -> Preview | None:
    return None if action.smoke else bomb(state, action.at, action.shots)


# -- prompts and events -------------------------------------------------------------------


def _ask_window(state: PbiState, frame: Window) -> Bar:
    return f"{frame.why.capitalize()} shooting at {frame.target}?", "odds-opportunity"


def _ask_hits(state: PbiState, frame: Hits) -> Bar:
    return f"Who takes the hit in {frame.square}? {frame.hits - len(frame.taken)} left", "he-at-foot"


def _ask_escape(state: PbiState, frame: Escape) -> Bar:
    return f"Who died with the transport? {frame.deaths} more", "transports-destroyed"


def _shot_words(state: PbiState, event: e.Shot) -> str:
    who = named(state, event.shooters)
    how = verb(len(event.shooters), who, "shoots", "shoot") + (" in reaction" if event.reacting else "")
    return f"{who} in {event.start} {how} at {event.at}: {several(event.hits, 'hit') if event.hits else 'no hits'}"


def _gun_shot(state: PbiState, event: e.GunShot) -> str:
    aimed = name_of(state, event.target) if event.target else "foot"
    return f"{name_of(state, event.shooter)} in {event.start} shoots at {aimed} in {event.at}: {event.result}"


def _penetrated(state: PbiState, event: e.Penetrated) -> str:
    return f"Hit on the {event.aspect}: {several(event.effects, 'effect')}, {several(event.saves, 'save')}"


def _lost(state: PbiState, event: e.Lost) -> str:
    return f"{event.name} of the {event.side} in {event.at} {verb(1, event.name, 'is', 'are')} lost ({event.how})"


def _silenced(state: PbiState, event: e.GunSilenced) -> str:
    return f"The machine-gun mounted on {name_of(state, event.piece)} in {event.at} is lost"


def _saved(state: PbiState, event: e.Saved) -> str:
    name = name_of(state, event.piece)
    return f"{name} in {event.at} {verb(1, name, 'is', 'are')} saved"


PART: Part[PbiState] = Part(
    describe={
        a.Shoot: _shoot,
        a.Volley: _volley,
        a.Aim: _aim,
        a.Shell: _shell,
        a.Flame: _flame,
        a.Bomb: _bomb,
        a.Hold: _hold,
        a.Take: _take_casualty,
        (Hits, a.Take): _take_hit,
    },
    why_not={Window: _window_bar},
    preview={
        a.Shoot: _preview_shoot,
        (Window, a.Volley): _preview_volley,
        a.Aim: _preview_aim,
        a.Shell: _preview_shell,
        a.Flame: _preview_flame,
        a.Bomb: _preview_bomb,
    },
    prompts={Window: _ask_window, Hits: _ask_hits, Escape: _ask_escape},
    words={
        e.Shot: _shot_words,
        e.GunShot: _gun_shot,
        e.Penetrated: _penetrated,
        e.PinnedDown: lambda state, event: f"Pinned in {event.at}: {named(state, event.pieces)}",
        e.Lost: _lost,
        e.GunSilenced: _silenced,
        e.Saved: _saved,
        e.MadeImmobile: lambda state, event: f"{name_of(state, event.piece)} in {event.at} is immobilised",
    },
)
