-- A condition on a draft is "draft is true", which an index with the condition "draft" does not answer.
create index memories_newest_draft on memories (user_id, created_at desc) where draft is true and deleted_at is null;
drop index memories_drafts;

-- Accounts that the job of the retention deletes. It read every account of the installation, twice an hour.
create index users_unconfirmed on auth.users (greatest(created_at, confirmation_sent_at, recovery_sent_at))
  where confirmed_at is null and last_sign_in_at is null and invited_at is null and not is_sso_user;

-- Marking a notice as emailed changed no other index than this one, which made every index of the row change. Its readers
-- find notices by the index of private.notice_emails, or by one_notice_for_what_one_adds.
drop index notices_email_due;
alter table notices set (fillfactor = 85);
