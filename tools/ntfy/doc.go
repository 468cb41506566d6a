// Package ntfy publishes messages to the user's ntfy topics and fetches new messages from them.
//
// Anybody who knows the name of a topic can read it, so a published message could leak data from a
// conversation. Therefore the tools publish only to topics to which the user subscribed, and only
// with the user's consent. New topic names are random words from a cryptographic source.
//
// For each topic, the ID of the last shown message is stored on disk. So every message is shown
// once, by the Marvin that fetches it first. Messages that Marvin itself published are not shown.
//
// Marvin does not use cron to fetch messages.
package ntfy
