# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What all resources share: planning, carrying a plan out, and creations that never happen twice."""

from __future__ import annotations

import functools
import typing as t

from .._client.errors import ApiError, Outcome, PlatformError
from .._client.http import Http
from .._client.retries import Retries
from .._fields import Fields, Values
from .._plan import Done, Step, plan_absent, plan_present
from ._listing import Listing
from ._options import ArgumentSpec
from ._platform import Platform, Scope, list_key

OUTCOME_UNKNOWN = (
    "Whether it was created is unknown. Run the task again later: it looks first, and creates nothing twice."
)


class Resource:
    """One object as the user wants it. Subclasses say how it is found, and what create, update and delete mean.

    ``kind``: what the API calls a list of it; ``key``: its name in results; ``fields``: its table; ``name_field``: the
    option that names one; ``argument_spec`` and ``rules``: its module's options beside the connection's; ``doubts``:
    what check mode cannot know; ``is_sent_once``: a refusal is final. Constructing one checks the options and sends
    nothing.
    """

    kind: str
    key: str
    fields: Fields
    name_field: str
    argument_spec: t.ClassVar[ArgumentSpec]
    rules: t.ClassVar[dict[str, t.Any]] = {}
    doubts: tuple[str, ...] = ()
    is_sent_once = False

    def __init__(self, platform: Platform, options: t.Mapping[str, t.Any]) -> None:
        self.platform = platform
        self.api = platform.api
        self.options = options
        self.wanted = self.fields.given(options)

    @property
    def is_wanted(self) -> bool:
        return self.options.get("state") == "present"

    @functools.cached_property
    def scope(self) -> Scope:
        """Raises PlatformError if the team is not there."""
        return self.platform.scope(self.options.get("team"))

    def plan(self) -> Step:
        """Reads, and says what has to be done."""
        if self.is_wanted and self.platform.lists.may_glance(list_key(self.kind, self.scope)):
            glimpse = self.glance()
            if glimpse is not None:
                step = self.plan_for(glimpse)
                if not step.is_change:
                    return step
        return self.plan_for(self.find())

    def plan_for(self, live: Values | None) -> Step:
        """What has to be done, given what is there. Sends nothing."""
        if not self.is_wanted:
            return plan_absent(self.fields, live)
        return plan_present(self.fields, self.wanted, live, known=self.known())

    def known(self) -> Values:
        """What a created object will hold beside the wanted values."""
        return {}

    def apply(self, step: Step) -> Done:
        """Carries the step out."""
        if step.action == "create":
            return self._create(step)
        if step.action == "update":
            return self._wrote(step, self.update(step))
        if step.action == "delete":
            self._delete(step)
            return self._wrote(step, {})
        return Done(step, step.live, changed=False)

    def glance(self) -> Values | None:
        """What one cheap request proves to be there and to be meant; ``None`` proves nothing."""
        return None

    def seek(self) -> Values | None:
        """What is there, found as cheaply as is certain enough to be shown."""
        return self.glance() or self.find()

    def find(self) -> Values | None:
        """What is there, proven by whole lists; raises PlatformError where more than one object is meant."""
        return self.match(self.every())

    def every(self) -> Listing:
        """All objects among which this one is sought."""
        return self.platform.every(self.kind, self.scope)

    def every_afresh(self) -> Listing:
        self.platform.lists.forget()
        return self.every()

    def read_again(self, live: Values) -> Values | None:
        """The object with this one's id, wherever in its list the service shows it."""
        self.platform.lists.forget()
        found = self.platform.every(self.kind, self.scope.unfiltered).where("id", live["id"])
        return found[0] if found else None

    def match(self, items: Listing) -> Values | None:
        """The object that is meant, of all there are; raises PlatformError where that is not certain."""
        raise NotImplementedError

    def look(self) -> Values | None:
        """What a creation would have made, if the service has it after all.

        What is new in the list is it too, though the service may have put it into a team of the user.
        """
        before = self.platform.every(self.kind, self.scope.unfiltered) if self.scope.foreign else Listing()
        live = self.match(self.every_afresh())
        if live is None and self.scope.foreign:
            now = self.platform.every(self.kind, self.scope.unfiltered)
            live = self.match(Listing(item for item in now if not before.where("id", item["id"])))
        return live

    def create(self, step: Step) -> Values:
        """Sends the creation; the object of the answer."""
        raise NotImplementedError

    def complete(self, _step: Step, item: Values) -> Values:
        """Sends what a creation cannot carry; the object afterwards."""
        return item

    def update(self, step: Step) -> Values:
        """Sends the changes; the object afterwards."""
        raise NotImplementedError

    def delete(self, step: Step) -> None:
        """Sends the deletion."""
        raise NotImplementedError

    def remarks(self, _step: Step) -> Values:
        """What a module returns beside the object."""
        return {}

    def _create(self, step: Step) -> Done:
        item, is_ours = create_once(self.api.http, lambda: self.create(step), self.look)
        if is_ours:
            return self._wrote(step, self.complete(step, item))
        adopted = self.plan_for(item)
        return self.apply(adopted) if adopted.is_change else Done(adopted, item, changed=False)

    def _delete(self, step: Step) -> None:
        """A refusal may mean that the object is gone already, perhaps by this very request: the list tells."""
        try:
            self.delete(step)
        except ApiError as error:
            if error.outcome is not Outcome.REFUSED or error.status == 401:
                raise
            if self.match(self.every_afresh()) is not None:
                raise

    def _wrote(self, step: Step, item: Values) -> Done:
        self.platform.lists.wrote(list_key(self.kind, self.scope), step.live, item)
        return Done(step, item or step.live, changed=True)


def converge(resource: Resource, check_mode: bool) -> dict[str, t.Any]:
    """What a resource module does, and what it returns.

    What fails with a list that was read for an earlier item of the loop is done once more without it: somebody else may
    have created or deleted something since. Not so where a part was done before the failure, which has its ``result``.
    """
    lists = resource.platform.lists
    lists.recalled = False
    try:
        return _converge(resource, check_mode)
    except PlatformError as error:
        unclear = isinstance(error, ApiError) and (error.outcome is not Outcome.REFUSED or error.status == 401)
        if unclear or error.result or resource.is_sent_once or not lists.recalled:
            raise
    lists.forget()
    return _converge(type(resource)(resource.platform, resource.options), check_mode)


def _converge(resource: Resource, check_mode: bool) -> dict[str, t.Any]:
    step = resource.plan()
    if check_mode:
        done = Done(step, step.expected, changed=step.is_change)
        resource.platform.warnings += resource.doubts
    else:
        done = resource.apply(step)
    diff = {"before": done.step.before, "after": done.step.after}
    return {"changed": done.changed, resource.key: done.item, "diff": diff, **resource.remarks(done.step)}


def create_once(http: Http, send: t.Callable[[], Values], look: t.Callable[[], Values | None]) -> tuple[Values, bool]:
    """Create without ever creating twice; the object, and whether it is ours rather than another's.

    ``send`` posts and returns the object of the answer; ``look`` reads what is there, from the service and not from
    memory. After a lost or refused creation what is there is adopted. Raises the creation's ApiError if it was refused
    or its outcome stays unknown.
    """
    retries = http.retries()
    while True:
        try:
            return send(), True
        except ApiError as error:
            if error.outcome is Outcome.UNPROCESSED or error.status == 401:
                raise
            lost = error
        item = _look_after(lost, look)
        while item is None and lost.outcome is Outcome.UNKNOWN:
            _wait_or_give_up(retries, lost)
            item = _look_after(lost, look)
        if item is not None:
            return item, lost.outcome is not Outcome.REFUSED
        if not lost.temporary:
            raise lost
        retries.wait(lost)


def _look_after(lost: ApiError, look: t.Callable[[], Values | None]) -> Values | None:
    try:
        return look()
    except PlatformError as error:
        error.explain(f"This was to tell what became of a creation: {lost}")
        if lost.outcome is not Outcome.REFUSED:
            error.explain(OUTCOME_UNKNOWN)
        raise


def _wait_or_give_up(retries: Retries, lost: ApiError) -> None:
    try:
        retries.wait(lost)
    except ApiError as error:
        error.explain(f"It is not in the list, or not yet. {OUTCOME_UNKNOWN}")
        raise
