ALTER TABLE seats ADD COLUMN opened_by TEXT;

ALTER TABLE users ADD COLUMN look TEXT;

CREATE INDEX users_look ON users (look);

CREATE TABLE seen (
    match_id TEXT NOT NULL REFERENCES matches (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    side TEXT NOT NULL,
    PRIMARY KEY (match_id, user_id, side)
);

CREATE TABLE snapshots (
    match_id TEXT PRIMARY KEY REFERENCES matches (id),
    n INTEGER NOT NULL,
    rules TEXT NOT NULL,
    dice BIGINT NOT NULL,
    state TEXT NOT NULL
);

CREATE TABLE albums (
    match_id TEXT PRIMARY KEY REFERENCES matches (id),
    rules TEXT NOT NULL,
    pages TEXT NOT NULL
);
