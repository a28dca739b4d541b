"""Standing orders: Defensive Fire that is fired or held for a player, draft and all (3.3.1, 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from sandtable.engine import Action
from sandtable.engine.odds import PAIRS
from sandtable.engine.tools import OrderRule, Orders
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.fire.drafting import END, RESOLVE, attack_of, fire_draft
from sandtable.games.squad.fire.eligibility import firer_of, targets_of
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.group import directors, joiners, not_ready
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, DefensiveFirePhase, FireDraft, StartFire
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.knowledge import concealed, enemy_hexes, unsure_units
from sandtable.games.squad.ground.model import FollowTarget
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.movement.model import Reaction
from sandtable.games.squad.movement.reaction import PASS, open_window
from sandtable.games.squad.ordnance.model import KeepAcquired, OrdnanceDraft, Shoot, StartShot, TurnGuns
from sandtable.games.squad.ordnance.shooting import shot_of
from sandtable.games.squad.ordnance.shots import directors as shot_directors
from sandtable.games.squad.ordnance.shots import known_targets, shots_of
from sandtable.games.squad.ordnance.tohit import ATT, SMOKES, cover_item, to_hit
from sandtable.games.squad.ordnance.turning import KEEP
from sandtable.games.squad.pieces.model import FINAL_FIRE, NO_MARKER, SquadState, Unit

Answer = Action | Literal["ask"] | None
DICE = [a + b for a, b in PAIRS]


class Candidate(NamedTuple):
    """Something of the side that may fire now, with the hexes that it may fire at."""

    name: str
    unit: Unit
    targets: tuple[int, ...]
    costly: bool
    """Final Protective Fire, Intensive Fire, a hidden Gun, a line not checked: not for a general order."""
    ordnance: bool
    fp: float = 0
    """Its printed firepower."""


def standing_order(state: SquadState, side: str, orders: Orders) -> Answer:
    """What the orders of a side say to the present decision in the other side's Player Turn (3.3.1, 3.4)."""
    frame = state.stack[-1]
    if isinstance(frame, FollowTarget | TurnGuns):
        return _small_change(state, frame, orders)
    if isinstance(frame, Reaction):
        found = candidates(state, side, frame.firers, frame.shooters, "first")
    elif isinstance(frame, DefensiveFirePhase):
        found = candidates(state, side, frame.firers, frame.shooters, "final")
    elif isinstance(frame, FireDraft | OrdnanceDraft):
        found = _before_draft(state, side, frame.mode)
    else:
        return None
    # whether a hidden Gun could fire must not decide between passing at once and waiting for the player (6.4)
    found = [each for each in found if not concealed(state, each.unit)]
    verdicts = {each.name: _verdict(state, each, orders) for each in found}
    if "ask" in verdicts.values():
        return "ask"
    wanted = [each for each in found if verdicts[each.name] == "always"]
    # a crew that fired itself could not serve its Gun any more, a half-squad not its machine gun (4.0)
    wanted.sort(key=lambda each: (not each.ordnance, -each.fp))
    if isinstance(frame, FireDraft | OrdnanceDraft):
        return _go_on(state, frame, wanted, orders) if wanted else "ask"
    if not wanted:
        if not all([_held(state, name, orders) for name in unsure_units(state, side)]):
            return "ask"
        return PASS if isinstance(frame, Reaction) else END
    return StartShot(wanted[0].name) if wanted[0].ordnance else StartFire(wanted[0].name)


def _small_change(state: SquadState, frame: FollowTarget | TurnGuns, orders: Orders) -> Answer:
    """Covered Arcs and acquisition wait for the player; if he is away and lets pass they stay as they are."""
    if orders.absent != "pass":
        return "ask"
    if isinstance(frame, TurnGuns):
        return KEEP
    left = [name for name in (*frame.moved, *frame.stayed) if name in state.units]
    return KeepAcquired(left[0]) if left else None


# -- who would fire -----------------------------------------------------------------------


def _before_draft(state: SquadState, side: str, mode: str) -> list[Candidate]:
    """Who could have started the attack that is being put together now: the draft has changed nothing yet."""
    if mode == "first":
        window = open_window(state) if moving_units(state) else None
        return candidates(state, side, window.firers, window.shooters, mode) if window is not None else []
    below = state.stack[-2] if len(state.stack) > 1 else None
    if isinstance(below, DefensiveFirePhase):
        return candidates(state, side, below.firers, below.shooters, mode)
    return []


def candidates(
    state: SquadState, side: str, firers: Iterable[str], shooters: Iterable[str], mode: str
) -> list[Candidate]:
    """Units and weapons that may fire now, with the known enemies that each may fire at."""
    setting = setting_of(state)
    limit = setting.rules.of(FireRules).mg_range_limit
    blind = not setting.rules.of(FireRules).free_los
    known = enemy_hexes(state, side)
    movers = moving_units(state)
    fixed = (state.units[movers[0]].at,) if mode == "first" and movers else None
    found = []
    for name in firers:
        firer = firer_of(state, name)
        targets = fixed or tuple([cell for cell in targets_of(state, side, firer, mode) if cell in known])
        far = bool(limit) and firer.kind is not None
        ranges = setting.ground.ranges[firer.unit.at]
        if far and any(ranges[cell] <= limit for cell in targets):
            targets = tuple([cell for cell in targets if ranges[cell] <= limit])
        costly = (mode == "first" and firer.marker >= FINAL_FIRE) or any(far and ranges[c] > limit for c in targets)
        costly = costly or blind or concealed(state, firer.unit)
        fp = firer.kind.fp if firer.kind is not None else unit_kind(state, firer.unit).fp
        found.append(Candidate(name, firer.unit, targets, costly, ordnance=False, fp=fp))
    for name in shooters:
        weapon = state.weapons[name]
        owner = state.units[weapon.owner]
        targets = fixed or tuple(known_targets(state, weapon, mode, known))
        costly = weapon.marker != NO_MARKER or concealed(state, owner) or blind
        found.append(Candidate(name, owner, targets, costly, ordnance=True))
    return found


def _verdict(state: SquadState, each: Candidate, orders: Orders) -> str:
    """never, ask or always: the unit's own order comes before the one for all; what does not hold is not fired."""
    rule = _rule_for(each, orders.rules)
    if rule.do == "never" or not _fitting(state, each, rule):
        return "never"
    if rule.do == "always" and each.costly:
        # what costs the firer something is his player's own decision
        return "never" if orders.absent == "pass" else "ask"
    return rule.do


def _rule_for(each: Candidate, rules: Sequence[OrderRule]) -> OrderRule:
    about_fire = [rule for rule in rules if _groups(rule) in ([], ["fire"])]
    own = [rule for rule in about_fire if rule.unit in (each.name, each.unit.id)]
    general = [rule for rule in about_fire if not rule.unit]
    return (own or general or [OrderRule()])[0]


def _held(state: SquadState, name: str, orders: Orders) -> bool:
    """Whether a hidden unit holds its fire whatever moves where: an order with conditions would tell where it is."""
    unit = state.units[name]
    names = [each for each in unit.weapons if each in state.weapons] or [name]
    rules = [_rule_for(Candidate(each, unit, (), costly=True, ordnance=False), orders.rules) for each in names]
    return all([rule.do == "never" or (rule.do == "always" and orders.absent == "pass") for rule in rules])


def _groups(rule: OrderRule) -> list[str]:
    return [condition.partition(":")[2] for condition in rule.only if condition.startswith("group:")]


def _fitting(state: SquadState, each: Candidate, rule: OrderRule) -> list[int]:
    """The targets that an order allows: in the open, adjacent, within a range."""
    ground = setting_of(state).ground
    found = []
    for cell in each.targets:
        distance = ground.ranges[each.unit.at][cell]
        ranges = [int(condition[6:]) for condition in rule.only if condition.startswith("range:")]
        if "open" in rule.only and not ground.open[cell]:
            continue
        if ("adjacent" in rule.only and distance > 1) or any(distance > most for most in ranges):
            continue
        found.append(cell)
    return found


# -- the draft ------------------------------------------------------------------------------


def _go_on(state: SquadState, draft: FireDraft | OrdnanceDraft, wanted: Sequence[Candidate], orders: Orders) -> Answer:
    """The next step of a draft that an order has begun; another draft is the player's own."""
    first = wanted[0]
    if isinstance(draft, OrdnanceDraft):
        if draft.weapon != first.name:
            return "ask"
        return _next_of_shot(state, draft, _fitting(state, first, _rule_for(first, orders.rules)))
    begun = fire_draft(state, draft.side, draft.mode, first.name) if not first.ordnance else None
    if begun is None or not {*begun.units, *begun.weapons} <= {*draft.units, *draft.weapons}:
        return "ask"
    if draft.target < 0:
        cells = _fitting(state, first, _rule_for(first, orders.rules))
        return AimAt(max(cells, key=lambda cell: (_effect(state, replace(draft, target=cell)), -cell)))
    places = {state.units[firer_of(state, name).unit.id].at for name in (*draft.units, *draft.weapons)}
    ready = {
        each.name
        for each in wanted
        if each.unit.at in places and draft.target in _fitting(state, each, _rule_for(each, orders.rules))
    }
    for name in joiners(state, draft):
        if name in ready:
            return AddFirer(name)
    led = [name for name in directors(state, draft) if leadership(state, state.units[name]) <= 0]
    allowed = [name for name in led if not _never(name, orders.rules)]
    if allowed and len(places) == 1:
        return AddDirector(min(allowed, key=lambda name: leadership(state, state.units[name])))
    return RESOLVE if not_ready(state, draft) is None else "ask"


def _never(name: str, rules: Sequence[OrderRule]) -> bool:
    own = [rule for rule in rules if rule.unit == name]
    return bool(own) and own[0].do == "never"


def _effect(state: SquadState, draft: FireDraft) -> int:
    """How many of the 36 rolls give a NMC or worse."""
    figures = volley(state, attack_of(draft))
    return sum([IFT.result(figures.column, dr + int(figures.drm.total)).kind in ("KIA", "K", "MC") for dr in DICE])


def _next_of_shot(state: SquadState, draft: OrdnanceDraft, cells: Sequence[int]) -> Answer:
    """Target, a leader to direct, then the way of firing that is most likely to tell; no Smoke."""
    if draft.target < 0:
        best = max(
            cells, key=lambda cell: (max(_scores(state, replace(draft, target=cell)).values(), default=0), -cell)
        )
        return AimAt(best)
    serves = unit_kind(state, state.units[state.weapons[draft.weapon].owner]).smc
    led = shot_directors(state, draft)
    useful = [name for name in led if serves or leadership(state, state.units[name]) <= 0]
    if useful:
        return AddDirector(min(useful, key=lambda name: leadership(state, state.units[name])))
    scores = _scores(state, draft)
    if not scores:
        return "ask"
    return max(scores, key=scores.__getitem__)


def _scores(state: SquadState, draft: OrdnanceDraft) -> dict[Shoot, int]:
    """Ways of firing a shot, by hits times results among all rolls."""
    source = state.units[state.weapons[draft.weapon].owner].at
    found = {}
    for way in shots_of(state, draft):
        if way.ammo in SMOKES or way.forgo or way.backblast == "suffered":
            continue
        shot = shot_of(draft, way)
        figures = to_hit(state, shot)
        loaded = figures.depletion or 12
        hits = sum([dr <= loaded and dr + int(figures.tally.total) <= figures.number.number for dr in DICE])
        drm = 0.0
        if way.target_type == ATT and figures.known:
            mortar = weapon_kind(state.weapons[draft.weapon]).mortar
            drm = cover_item(state, source, draft.target, state.units[figures.known[0].unit], mortar=mortar)[1]
        tells = sum([IFT.result(figures.column, dr + int(drm)).kind in ("KIA", "K", "MC") for dr in DICE])
        found[way] = hits * tells
    return found
