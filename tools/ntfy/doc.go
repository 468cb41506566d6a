// Package ntfy publishes to the user's ntfy topics and fetches what came for them.
//
// A topic's name is all the secret it has, and publishing is a way out for whatever a
// conversation knows. So messages go only to topics that the user subscribed to, with
// consent, and new topics are made from a cryptographic source.
//
// What was shown is remembered on disk by the last message's id, per topic, so that
// it is shown once, whichever Marvin asks next. What was published from here is not
// shown as news.
//
// Decided against: the Python Marvin's watcher script in cron, which polled every
// half hour whether anybody looked or not.
package ntfy
