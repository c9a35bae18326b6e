-- As in 0077: the import prepares its comments and names their authors itself, for thousands of rows in a statement. Per row,
-- these triggers took nine tenths of its time. Nothing imported comes through a link.
create or replace trigger t10_prepare_comment before insert on comments
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.prepare_comment();
create or replace trigger t10_record_source after insert on comments
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_source('comment_id');
create or replace trigger t20_record_author after insert on comments
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_author('comment_credits');

create or replace trigger prepare_reaction before insert on reactions
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.prepare_reaction();
create or replace trigger t10_record_source after insert on reactions
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_source('reaction_id');
create or replace trigger t20_record_author after insert on reactions
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_author('reaction_credits');

create or replace trigger t10_record_source after insert on stories
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_source('story_id');
create or replace trigger t20_record_author after insert on stories
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_author('story_credits');

create or replace trigger record_source after insert on media
  for each row when (current_setting('skies.importing', true) is distinct from 'on')
  execute function private.record_source('media_id');
