-- This number is reserved for another change.
DO $$ BEGIN END $$;
