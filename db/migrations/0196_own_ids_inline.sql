-- A list reads own_id of a thousand rows. Without a setting of its own, such a function becomes a part of the statement, and
-- costs a third. Its body is read now, so that no search path can change its meaning.
create or replace function own_id(comment comments) returns uuid language sql stable
return case when comment.user_id = auth.uid() then comment.user_id end;
create or replace function own_id(reaction reactions) returns uuid language sql stable
return case when reaction.user_id = auth.uid() then reaction.user_id end;
create or replace function own_id(story stories) returns uuid language sql stable
return case when story.user_id = auth.uid() then story.user_id end;
create or replace function own_id(reply day_replies) returns uuid language sql stable
return case when reply.user_id = auth.uid() then reply.user_id end;
create or replace function own_id(details media_details) returns uuid language sql stable
return case when details.user_id = auth.uid() then details.user_id end;
