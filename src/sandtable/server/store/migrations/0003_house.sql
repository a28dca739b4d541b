ALTER TABLE matches ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

ALTER TABLE steps ADD COLUMN passed TEXT NOT NULL DEFAULT '';

ALTER TABLE seats ADD COLUMN stalled TEXT NOT NULL DEFAULT '';

CREATE TABLE told (
    user_id TEXT NOT NULL,
    match_id TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (user_id, match_id, event)
);
