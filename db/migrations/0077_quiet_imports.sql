-- An imported account may have tens of thousands of comments, which are years old. Their notices took most of an import's time, and
-- were deleted at its end. The import sets skies.importing for its transaction; no caller can set it.
create or replace trigger t40_notify_of_new_comment after insert on comments
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.notify_of_comment();
create or replace trigger t30_notify_of_new_story after insert on stories
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.notify_of_story();
create or replace trigger t30_notify_of_new_reaction after insert on reactions
  for each row when (new.moderation = 'held' and current_setting('skies.importing', true) is distinct from 'on')
  execute function private.notify_of_reaction();
create or replace trigger notify_of_new_media after insert on media_details
  referencing new table as added for each statement
  when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.notify_of_media();
