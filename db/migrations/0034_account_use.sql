-- While an account goes, its count is written more than once before its own row goes with it. A key that is checked at once
-- would then ask for the person who is gone already; at the end there is nothing left to ask about.
alter table private.account_use alter constraint account_use_account_fkey deferrable initially deferred;
