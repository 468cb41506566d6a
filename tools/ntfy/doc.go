// Package ntfy publishes messages to the user's ntfy topics and fetches new messages from them.
//
// Anybody who knows the name of a topic can read the topic's messages, so a published message could
// leak data from a conversation. Therefore the tools publish only to topics to which the user
// subscribed, and only with the user's consent. New topic names are random words from a
// cryptographic source.
//
// For each topic, the ID of the last shown message is stored on disk. A message is shown only by
// the Marvin process that fetches the message first. Messages that Marvin itself published are not
// shown.
//
// Marvin does not use cron to fetch messages.
package ntfy
