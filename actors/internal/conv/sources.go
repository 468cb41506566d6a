package conv

import (
	"context"

	"marvin/messages"
)

// Notifier is a source of messages for the user. Its methods may be called concurrently.
type Notifier interface {
	// Topics returns the topics to which a profile has subscribed.
	Topics(profile string) ([]string, error)
	// Fetch returns the messages of a topic that were not shown yet, oldest first.
	Fetch(ctx context.Context, profile, topic string) ([]messages.Notification, error)
	// Unshown keeps only those of the fetched messages that were not shown in the meantime. It must
	// not wait.
	Unshown(profile string, all []messages.Notification) []messages.Notification
	// RecordShown stores which messages were shown. The recorder calls it.
	RecordShown(profile string, shown []messages.Notification) error
}

// Alarms tells which alarms are due.
type Alarms interface {
	// Next waits until alarms are due, and returns one line per alarm. If ctx ends first, Next
	// returns the cancellation cause. When Next is called again, the user has seen the lines, and
	// their alarms may be deleted.
	Next(ctx context.Context, environ []string) ([]string, error)
}
