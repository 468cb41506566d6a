// Package ntfy publishes messages to the user's ntfy topics and fetches new messages from them.
//
// Anybody who knows the name of a topic can read the topic's messages. To protect the data of a
// conversation, the tools publish only to topics to which the user subscribed, and only with the
// user's consent. The words in new topic names are chosen with crypto/rand.
//
// For each topic, the ID of the last shown message is stored on disk, so other Marvin processes do
// not show the message again. Messages that Marvin itself published are not shown.
//
// Marvin does not use cron to fetch messages.
package ntfy
