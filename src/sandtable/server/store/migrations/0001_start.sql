CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT UNIQUE,
    password TEXT,
    epoch INTEGER NOT NULL DEFAULT 0,
    notify TEXT NOT NULL DEFAULT '{}',
    settings TEXT NOT NULL DEFAULT '{}',
    created BIGINT NOT NULL
);

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    scenario TEXT NOT NULL,
    title TEXT NOT NULL,
    creator TEXT NOT NULL REFERENCES users (id),
    status TEXT NOT NULL,
    header TEXT NOT NULL,
    start TEXT NOT NULL,
    setup TEXT NOT NULL,
    watch TEXT UNIQUE,
    version INTEGER NOT NULL,
    to_act TEXT NOT NULL,
    turn TEXT NOT NULL,
    phase TEXT NOT NULL,
    clocks TEXT,
    requests TEXT NOT NULL,
    result TEXT,
    automatic INTEGER NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL
);

CREATE INDEX matches_automatic ON matches (automatic);

CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id),
    side TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT REFERENCES users (id),
    level TEXT NOT NULL DEFAULT '',
    invitation TEXT UNIQUE,
    orders TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (match_id, side)
);

CREATE INDEX seats_user ON seats (user_id);

CREATE TABLE members (
    match_id TEXT NOT NULL REFERENCES matches (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    observer INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match_id, user_id)
);

CREATE INDEX members_user ON members (user_id);

CREATE TABLE steps (
    match_id TEXT NOT NULL REFERENCES matches (id),
    n INTEGER NOT NULL,
    entry TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    at BIGINT NOT NULL,
    PRIMARY KEY (match_id, n)
);

CREATE TABLE chat (
    match_id TEXT NOT NULL REFERENCES matches (id),
    n INTEGER NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    side TEXT NOT NULL,
    room TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (match_id, n)
);
