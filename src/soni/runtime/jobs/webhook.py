"""webhook: post JSON to another system until it takes it.

The payload has `url` and `body`, and may have `headers`. The receiver may get a delivery more than
once, each time with the same `webhook-id`.
"""

import json
from functools import partial
from http.client import HTTPException, HTTPMessage
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from soni.core.jobs import Job, JobError, Retry
from soni.runtime.jobs import Host, JobKind

ANSWER_SECONDS = 10.0
"""How long the receiver may be silent."""

GONE = 410


async def deliver(host: Host, job: Job) -> None:
    """Post the body."""
    posted = partial(_post, job.key, job.payload)
    await host.assistant.invoker.invoke(posted, 2 * ANSWER_SECONDS)


def _post(key: str, payload: dict[str, Any]) -> None:
    url = str(payload["url"])
    place = urlsplit(url)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise JobError(
            f"a webhook goes to an http or https address, not to '{place.scheme}:'", permanent=True
        )
    request = Request(
        url,
        data=json.dumps(payload["body"]).encode(),
        method="POST",
        headers={
            "user-agent": "soni",
            **payload.get("headers", {}),
            "content-type": "application/json",
            "webhook-id": key,
        },
    )
    try:
        with build_opener(_NoRedirects).open(request, timeout=ANSWER_SECONDS):
            return
    except HTTPError as error:
        error.close()
        # The path may hold a secret, and the body belongs to the user.
        raise JobError(
            f"{place.hostname} answered {error.code}", permanent=error.code == GONE
        ) from None
    except (URLError, OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise JobError(f"{place.hostname} was not reached: {type(reason).__name__}") from None


class _NoRedirects(HTTPRedirectHandler):
    """A redirected post would become a get, or go where nobody agreed to send it."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


# The ten attempts of the default take about 31 hours.
JOB = JobKind(
    deliver,
    retry=lambda settings: Retry(
        attempts=settings.webhook_attempts, first_delay=5, factor=4, longest_delay=12 * 3600
    ),
    timeout=3 * ANSWER_SECONDS,
)
