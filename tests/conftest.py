"""Hypothesis: the usual run is short, the long one is asked for (``HYPOTHESIS_PROFILE=longo``)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("curto", max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("longo", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "curto"))
