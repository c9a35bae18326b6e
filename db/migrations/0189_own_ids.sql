-- A person who opened a link with an account is told no ids of other accounts. By this column a page recognises its
-- reader's rows. Without a setting of its own, such a function becomes a part of the statement, which costs a third for a
-- list of a thousand rows. Its body is read now, so that no search path can change its meaning.

create function own_id(comment comments) returns uuid language sql stable
return case when comment.user_id = auth.uid() then comment.user_id end;
create function own_id(reaction reactions) returns uuid language sql stable
return case when reaction.user_id = auth.uid() then reaction.user_id end;
create function own_id(story stories) returns uuid language sql stable
return case when story.user_id = auth.uid() then story.user_id end;
create function own_id(reply day_replies) returns uuid language sql stable
return case when reply.user_id = auth.uid() then reply.user_id end;
create function own_id(details media_details) returns uuid language sql stable
return case when details.user_id = auth.uid() then details.user_id end;

comment on function own_id(comments) is 'The id of the caller''s account if it wrote the comment, otherwise null, as a computed column.';
comment on function own_id(reactions) is 'As of comments.';
comment on function own_id(stories) is 'As of comments.';
comment on function own_id(day_replies) is 'As of comments.';
comment on function own_id(media_details) is 'As of comments: whether the caller''s account added the photo or video.';
-- The column privileges of a visitor without an account hold for a link's token with an account, so anon may execute it.
revoke execute on function own_id(comments), own_id(reactions), own_id(stories), own_id(day_replies), own_id(media_details) from public;
grant execute on function own_id(comments), own_id(reactions), own_id(stories), own_id(day_replies), own_id(media_details) to anon, authenticated, service_role;
