package conv

import (
	"context"

	"marvin/messages"
)

// Notifier is where messages for the user come from. Its methods may be called from
// several goroutines at once.
type Notifier interface {
	// Topics are what a profile is subscribed to.
	Topics(profile string) ([]string, error)
	// Fetch asks for what came to a topic and was not shown yet, oldest first.
	Fetch(ctx context.Context, profile, topic string) ([]messages.Notification, error)
	// Fresh leaves out what was shown meanwhile. It must not wait.
	Fresh(profile string, all []messages.Notification) []messages.Notification
	// Told remembers, on disk, what was shown. The recorder calls it.
	Told(profile string, shown []messages.Notification) error
}

// Alarms is what rings at a time.
type Alarms interface {
	// Next waits until alarms are due and returns a line for each, or the cause of ctx. The next
	// call means that the user saw these lines, so Next may forget them.
	Next(ctx context.Context, environ []string) ([]string, error)
}
