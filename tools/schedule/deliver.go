package schedule

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/internal/notify"
	"marvin/tools/internal/push"
	"marvin/tools/internal/text"
)

func isTopic(name string) bool { return push.Topic(name) }

// deliverTime is the timeout of a delivery.
const deliverTime = 30 * time.Second

// deliver sends the result of a run to the user.
func (s *Service) deliver(ctx context.Context, environ []string, entry schedules.Entry, run schedules.Run) error {
	ctx, stop := context.WithTimeout(ctx, deliverTime)
	defer stop()
	title, body := "⏰ "+Title(entry), Result(run)
	kind, place, _ := strings.Cut(entry.To, ":")
	switch kind {
	case "file":
		return appendResult(place, fmt.Sprintf("## %s · %s\n\n%s\n\n", run.Began.Format("2006-01-02 15:04"), Title(entry), body))
	case "ntfy":
		_, err := push.Publish(ctx, s.Client, place, title, text.Clip(body, 3500), false)
		return err
	}
	err := notify.Send(ctx, environ, title, text.Clip(body, 500))
	if errors.Is(err, notify.ErrNoDesktop) {
		return nil // Marvin itself shows the result
	}
	return err
}

// appendResult appends a result to the file that the user named.
func appendResult(path, what string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	_, err = file.WriteString(what)
	return errors.Join(err, file.Close())
}

// Result formats the result of a run for display.
func Result(run schedules.Run) string {
	said := strings.TrimSpace(run.Text)
	switch {
	case run.Error != "" && run.State == schedules.Changed:
		said = strings.TrimSpace(said + "\n" + run.Error)
	case run.Error != "":
		said = strings.TrimSpace(said + "\n" + string(run.State) + ": " + run.Error)
	}
	return tools.Visible(said)
}
