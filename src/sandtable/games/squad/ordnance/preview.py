"""What an ordnance shot or a Demolition Charge would come to: tallies and exact odds (3.2.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sandtable.engine.odds import PAIRS
from sandtable.engine.view import OddsLine, Preview
from sandtable.games.squad.cards.tables import IFT, FireResult, residual_firepower
from sandtable.games.squad.effects.odds import LOST, SUMS
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.fire.preview import FATES, stack_odds
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.knowledge import known_units
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.ordnance.hits import Struck, struck, struck_hex
from sandtable.games.squad.ordnance.model import OrdnanceDraft, SetOffCharge, Shoot
from sandtable.games.squad.ordnance.shooting import shot_of
from sandtable.games.squad.ordnance.shots import shots_of
from sandtable.games.squad.ordnance.special_weapons import CHARGE_FP, charge_blow, charge_tally, charged, find_charge
from sandtable.games.squad.ordnance.tohit import SMOKES, OrdnanceShot, ToHit, cover_item, to_hit
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState, Unit

HitKey = tuple[tuple[str, ...], tuple[str, ...]]
"""Units hit, and those of them for whom it would be a Critical Hit."""


class Ledger:
    """Chances of what becomes of each unit, summed up over the dice; what results do to a stack is kept."""

    def __init__(self, state: SquadState, cell: int, also: Iterable[str] = ()) -> None:
        self.units = {unit.id: unit for unit in known_units(state, units_at(state, cell))}
        self.units |= {name: state.units[name] for name in also}
        self.chances: dict[tuple[str, str], float] = {}
        self._odds = stack_odds(state, self.units.values())
        self._waiting: dict[tuple[tuple[str, FireResult, bool], ...], tuple[Sequence[Impact], float]] = {}

    def add(self, impacts: Sequence[Impact], chance: float) -> None:
        """The results of one DR with its chance; equal ones are worked out once."""
        key = tuple([(impact.unit, impact.result, impact.apart) for impact in impacts if impact.result.kind != "-"])
        if not key:
            self.calm(chance)
            return
        self._waiting[key] = (impacts, chance + (self._waiting[key][1] if key in self._waiting else 0.0))

    def calm(self, chance: float) -> None:
        """Nothing happens to anybody."""
        for name in self.units:
            self.chances[name, "unharmed"] = self.chances.get((name, "unharmed"), 0.0) + chance

    def _work_out(self) -> None:
        chances = self.chances
        for impacts, chance in self._waiting.values():
            for slot, part in self._odds.after(impacts)[1].items():
                chances[slot] = chances.get(slot, 0.0) + chance * part
        self._waiting.clear()

    def lines(self) -> list[OddsLine]:
        """The chances of each unit, the worst first."""
        self._work_out()
        return [
            OddsLine(fate, self.chances[name, fate], name)
            for name in self.units
            for fate in FATES
            if self.chances.get((name, fate), 0.0) > 1e-9
        ]


def blow_impacts(blows: Sequence[Struck], original: int) -> list[Impact]:
    """The results of a hit for the odds: Direct Hits take their crews with them (6.7)."""
    direct = {}
    for blow in blows:
        kind = "KIA" if blow.gun and blow.critical else blow.result(original).kind
        if blow.gun and kind in ("KIA", "K"):
            direct[blow.unit] = kind
    impacts = []
    for blow in blows:
        outcome = blow.outcome(original)
        if blow.unit in direct:
            outcome = LOST if direct[blow.unit] == "KIA" else outcome
        elif outcome.kind == "KIA" and "KIA" in direct.values():
            outcome = FireResult("KIA", max(outcome.number - list(direct.values()).count("KIA"), 0))
        elif outcome.kind == "K" and "K" in direct.values():
            outcome = FireResult("MC", outcome.number)
        impacts.append(Impact(blow.unit, outcome, blow.column, blow.drm, apart=blow.unit in direct))
    return impacts


def _hit_keys(shot: OrdnanceShot, figures: ToHit) -> dict[HitKey, float]:
    """What a To Hit DR can hit, with chances; Special Ammo that is not there hits nothing (6.2)."""
    found: dict[HitKey, float] = {}
    for total, chance in SUMS:
        loaded = not figures.depletion or total <= figures.depletion
        hit = tuple([aimed.unit for aimed in figures.known if loaded and figures.hits(aimed, total)])
        critical = tuple([a.unit for a in figures.known if a.unit in hit and figures.is_critical(a, total)])
        found[hit, critical] = found.get((hit, critical), 0.0) + chance
    return found


def shot_odds(state: SquadState, shot: OrdnanceShot, figures: ToHit) -> list[OddsLine]:
    """Exact chances: hit, Critical Hit, results of the effect, and what becomes of each known unit."""
    ledger = Ledger(state, shot.target, [aimed.unit for aimed in figures.targets if not aimed.hidden])
    results: dict[FireResult, float] = {}
    hits = critical = 0.0
    for (hit, best), chance in _hit_keys(shot, figures).items():
        if not hit:
            ledger.calm(chance)
            continue
        hits += chance
        critical += chance if best else 0.0
        for chosen in best or ("",):
            part = chance / max(len(best), 1)
            if shot.ammo == "WP":
                ledger.add([_burnt(state, shot, state.units[name], critical=name == chosen) for name in hit], part)
            elif shot.ammo in SMOKES:
                ledger.calm(part)
            else:
                blows = [struck(state, shot, figures, state.units[name], critical=name == chosen) for name in hit]
                _spread(ledger, results, part, blows)
    if not figures.known:
        hits = sum(p for total, p in SUMS if _on_hex(figures, total))
    lines = [OddsLine("Smoke is placed" if shot.ammo in SMOKES else "hits", hits)]
    if critical:
        lines.append(OddsLine("Critical Hit", critical))
    order = sorted(results, key=lambda result: (("KIA", "K", "MC", "PTC", "-").index(result.kind), -result.number))
    lines += [OddsLine("hit without effect" if r.kind == "-" else str(r), results[r]) for r in order]
    return [*lines, *(ledger.lines() if figures.known else ()), *_weapon_odds(shot, figures)]


def _on_hex(figures: ToHit, total: int) -> bool:
    loaded = not figures.depletion or total <= figures.depletion
    return loaded and total + figures.hex.total <= figures.number.number


def _spread(ledger: Ledger, results: dict[FireResult, float], chance: float, blows: Sequence[Struck]) -> None:
    for total, part in SUMS:
        impacts = blow_impacts(blows, total)
        first = blows[0].outcome(total)
        results[first] = results.get(first, 0.0) + chance * part
        ledger.add(impacts, chance * part)


def _burnt(state: SquadState, shot: OrdnanceShot, unit: Unit, *, critical: bool) -> Impact:
    """The NMC of a unit hit by White Phosphorus (6.2)."""
    weapon = state.weapons[shot.weapon]
    source = state.units[weapon.owner].at
    tem = int(cover_item(state, source, unit.at, unit, mortar=weapon_kind(weapon).mortar)[1])
    return Impact(unit.id, FireResult("MC", tem if critical and tem > 0 else -tem), 0)


def _weapon_odds(shot: OrdnanceShot, figures: ToHit) -> list[OddsLine]:
    """Chances of the weapon: breakdown, removal, Rate of Fire, Special Ammo (1.2.4.1, 6.2, 6.12)."""

    def chance(test: Callable[[int], bool]) -> float:
        return sum(p for total, p in SUMS if test(total))

    lines = []
    if figures.depletion:
        lines.append(OddsLine(f"has no {shot.ammo}", chance(lambda total: total > figures.depletion), shot.weapon))
    if figures.breakdown <= 12:
        lines.append(OddsLine("breaks down", chance(lambda total: total >= figures.breakdown), shot.weapon))
    if figures.rate:
        kept = sum(a <= figures.rate and a + b < figures.breakdown for a, b in PAIRS) / 36
        lines.append(OddsLine("keeps Rate of Fire", kept, shot.weapon))
    return lines


def preview_shot(state: SquadState, shot: OrdnanceShot) -> Preview:
    """The preview of a shot as it would be fired."""
    setting = setting_of(state)
    where = name_of(state, shot.target)
    if not setting.rules.of(FireRules).free_los:
        return Preview(f"Shot at {where}", notes=("The line of sight is not checked yet (3.2.1)",))
    figures = to_hit(state, shot)
    notes = [
        f"{short(state, aimed.unit)}: To Hit DRM {aimed.drm:+d}"
        for aimed in figures.known
        if aimed.drm != int(figures.tally.total)
    ]
    tallies = [figures.tally]
    if shot.ammo not in SMOKES:
        known = figures.known
        tallies.append(
            struck(state, shot, figures, state.units[known[0].unit]).tally
            if known
            else struck_hex(state, shot, figures)
        )
        if shot.mode == "first" and shot.ammo != "AP":
            left = residual_firepower(figures.column)
            if left and figures.outside:
                left = IFT.shift(IFT.column(left), figures.outside)
            notes.append(f"a hit leaves {left} Residual FP, unless it breaks down or keeps Rate of Fire")
    if figures.depletion:
        notes.append(f"{shot.ammo} has Depletion Number {figures.depletion} (6.2)")
    title = f"To Hit {where} with {figures.number.number} or less"
    return Preview(title, tuple(tallies), tuple(shot_odds(state, shot, figures)), tuple(notes))


def _shoot(state: SquadState, side: str, action: Shoot) -> Preview | None:
    draft = state.stack[-1]
    if not isinstance(draft, OrdnanceDraft) or draft.target < 0 or draft.side != side:
        return None
    if action not in shots_of(state, draft):
        return None
    return preview_shot(state, shot_of(draft, action))


def _charge(state: SquadState, side: str, action: SetOffCharge) -> Preview | None:
    found = find_charge(state, action.weapon)
    if found is None:
        return None
    at, charge = found
    victims = known_units(state, charged(state, at, charge))
    ledger = Ledger(state, at, [unit.id for unit in victims])
    blows = [charge_blow(state, at, charge, unit) for unit in victims]
    results: dict[FireResult, float] = {}
    failed = 0.0
    for total, chance in SUMS:
        if total >= charge.value:
            failed += chance
            ledger.calm(chance)
            continue
        if blows:
            first = blows[0].outcome(total)
            results[first] = results.get(first, 0.0) + chance
            ledger.add(blow_impacts(blows, total), chance)
    lines = [OddsLine("fails", failed)]
    lines += [OddsLine("no effect" if r.kind == "-" else str(r), p) for r, p in results.items()]
    title = f"Demolition Charge in {name_of(state, at)} on the {CHARGE_FP} column"
    return Preview(title, (charge_tally(state, at, charge),), (*lines, *ledger.lines()))


PART = Part(preview={Shoot: _shoot, SetOffCharge: _charge})
