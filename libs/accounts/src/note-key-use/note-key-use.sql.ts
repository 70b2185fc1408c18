/**
 * Parameters: key ids; age of the use of each in milliseconds. Rows that another gateway writes at the moment are skipped:
 * it writes the same.
 */
export const NOTE_KEY_USE = {
  name: 'accounts.note_key_use',
  text: `with used as materialized (
           select u.key_id, heddle.clock_now_ms() - u.age * interval '1 millisecond' as at
           from unnest($1::text[], $2::double precision[]) as u (key_id, age)
         ),
         due as (
           select k.key_id, used.at from accounts.api_key k join used using (key_id)
           where k.last_used_at is null or k.last_used_at <= used.at - interval '1 minute'
           order by k.key_id for update of k skip locked
         )
         update accounts.api_key k set last_used_at = due.at from due where k.key_id = due.key_id`,
};
