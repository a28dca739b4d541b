"""What each action is to whoever decides: it begins, adds, aims, carries out, gives up or lets pass."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.games.squad.combat.model import (
    AddAdvancer,
    AttackUnit,
    CancelAdvance,
    ClearAttack,
    DeclareAttack,
    JoinAttack,
    RemoveAdvancer,
    StartAdvance,
)
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    CancelFire,
    RemoveDirector,
    RemoveFirer,
    ResolveFire,
    StartDestroying,
    StartFire,
)
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    CancelMove,
    Detach,
    DoubleTime,
    Pass,
    RemoveMover,
    StartMove,
    Stop,
)
from sandtable.games.squad.ordnance.model import AimAnywhere, KeepArcs, Shoot, StartShot
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.rout.model import CancelRout, EndRout, LetGo, StartRout, TakeLeader
from sandtable.games.squad.scenario.model import PickUnit, PickUp, PickWeapon, PlaceUnit, PutBack, SetUpDone

ROLES: dict[type[Action], str] = {
    **dict.fromkeys((StartFire, StartShot, StartDestroying, StartMove, StartAdvance, StartRout), "start"),
    **dict.fromkeys((PickUnit, PickWeapon, BeginMove), "start"),
    PlaceUnit: "place",
    **dict.fromkeys((AddFirer, AddDirector, AddMover, AddAdvancer, TakeLeader, JoinAttack), "add"),
    **dict.fromkeys((RemoveFirer, RemoveDirector, RemoveMover, RemoveAdvancer, Detach, PickUp), "leave"),
    **dict.fromkeys((DoubleTime, AimAnywhere), "vary"),
    **dict.fromkeys((AimAt, AttackUnit), "aim"),
    **dict.fromkeys((ResolveFire, Shoot, DeclareAttack), "resolve"),
    **dict.fromkeys((CancelFire, CancelMove, CancelAdvance, CancelRout, ClearAttack, PutBack), "cancel"),
    **dict.fromkeys((Stop, EndRout), "stop"),
    **dict.fromkeys((EndPhase, Pass, Done, LetGo, KeepArcs, SetUpDone), "pass"),
}
"""All others are done at once."""
