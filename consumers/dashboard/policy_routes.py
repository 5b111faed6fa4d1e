"""The routes of the policy: its state, a change, its undo, and a preview of a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.requests import Request
from starlette.responses import Response

from ..errors import BadRecord, UserError
from ..explain.explainer import Explainer
from ..log.base import Log
from ..model.policy_editor import PolicyEditor
from ..monitor.policy_preview import PolicyPreview, preview_policy
from ..monitor.search import LabelledMail
from ..settings import Settings
from .answers import json_answer
from .log_thread import LogThread
from .requests import PolicyRequest, PolicyUndoRequest, read_json, read_policy_values


class PolicyRoutes:
    """The handlers of the routes below `/api/policy`, and the thread behind them, which opens the log with `open_log`
    and again after a fault."""

    def __init__(self, open_log: Callable[[], Log], settings: Settings) -> None:
        self._learner = settings.learner
        self._source = settings.dashboard.source
        self._editor = LogThread("policy-editor", open_log, lambda log: PolicyEditor(log, settings.learner))

    def close(self) -> None:
        """Finish the queued work."""
        self._editor.close()

    async def state(self, request: Request) -> Response:
        """`PolicyState`."""
        return json_answer(await self._editor.run(lambda editor: editor.state()))

    async def change(self, request: Request) -> Response:
        """Set another policy for new mails; responds with `PolicyState`."""
        wanted = await read_json(request, PolicyRequest)
        return json_answer(await self._editor.run(lambda editor: editor.change(wanted.policy, self._source)))

    async def undo(self, request: Request) -> Response:
        """Undo the newest change of the policy, if it is the one that is meant; responds with `PolicyState`."""
        wanted = await read_json(request, PolicyUndoRequest)
        return json_answer(await self._editor.run(lambda editor: editor.undo(self._source, wanted.offset)))

    def preview(self, explainer: Explainer, request: Request, mails: Sequence[LabelledMail]) -> PolicyPreview:
        """The predictions of the `mails` under the policy in the query."""
        values, model = read_policy_values(request), explainer.replica().require_model()
        try:
            return preview_policy(values, self._learner, model, mails)
        except UserError as error:
            raise BadRecord("bad-policy", str(error)) from error
