package conv

import (
	"context"

	"marvin/messages"
)

// Notifier is a source of messages for the user. Its methods may be called concurrently.
type Notifier interface {
	// Topics returns the topics to which a profile has subscribed.
	Topics(profile string) ([]string, error)
	// Fetch returns a topic's messages that have not been shown yet, oldest first.
	Fetch(ctx context.Context, profile, topic string) ([]messages.Notification, error)
	// Unshown returns the messages that have not been shown yet. It must not block.
	Unshown(profile string, all []messages.Notification) []messages.Notification
	// RecordShown stores which messages were shown. The recorder calls it.
	RecordShown(profile string, shown []messages.Notification) error
}

// Alarms is a source of alarms.
type Alarms interface {
	// Next waits until alarms are due, and returns one line per alarm. If ctx ends first, the error
	// is [context.Cause] of ctx. Show the lines to the user before the next call of Next, which can
	// delete these alarms.
	Next(ctx context.Context, environ []string) ([]string, error)
}
