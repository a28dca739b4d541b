CREATE UNLOGGED TABLE IF NOT EXISTS processes (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    seen BIGINT NOT NULL
);

CREATE UNLOGGED TABLE IF NOT EXISTS presence (
    id TEXT PRIMARY KEY,
    process TEXT NOT NULL,
    match_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    side TEXT NOT NULL,
    pace TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS presence_match ON presence (match_id);

CREATE INDEX IF NOT EXISTS presence_user ON presence (user_id);

CREATE UNLOGGED TABLE IF NOT EXISTS limits (
    key TEXT PRIMARY KEY,
    free_at DOUBLE PRECISION NOT NULL,
    count INTEGER NOT NULL DEFAULT 0
);

CREATE UNLOGGED TABLE IF NOT EXISTS drives (
    match_id TEXT PRIMARY KEY,
    process TEXT NOT NULL,
    until BIGINT NOT NULL
);

CREATE UNLOGGED TABLE IF NOT EXISTS jobs (
    match_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    side TEXT NOT NULL,
    level TEXT NOT NULL,
    slow BOOLEAN NOT NULL,
    seed TEXT NOT NULL,
    state TEXT NOT NULL,
    created BIGINT NOT NULL,
    began BIGINT NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    worker TEXT NOT NULL DEFAULT '',
    until BIGINT NOT NULL DEFAULT 0,
    answer TEXT,
    PRIMARY KEY (match_id, version, side, level)
);
