package call

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/tools"
)

// This file lets a tool search the stored conversations. The search changes nothing. It skips
// conversations that mention a private directory that is closed to the model.

func (w *worker) earlier() func(ctx context.Context, words string, most int) ([]tools.SaidLine, error) {
	config, choice, own := w.Config, w.Conversation.Choice, w.Conversation.Stored.ID()
	return func(ctx context.Context, words string, most int) (found []tools.SaidLine, err error) {
		sessions := sessions.New(config.Home)
		list, broken := sessions.List()
		query := sessionlog.NewQuery(sessions, words)
		defer func() { err = errors.Join(err, query.Close()) }()
		for _, info := range list {
			if len(found) == most || ctx.Err() != nil {
				break
			}
			if info.ID == own || config.MayTell(choice, []string{info.Dir}) != nil {
				continue
			}
			if may, err := query.MayContain(info); err != nil || !may {
				continue // "marvin sessions check" reports the damage
			}
			place, has, err := query.SearchSession(info)
			if err != nil || !has || bindsElsewhere(config, choice, info) {
				continue
			}
			who := "user"
			if place.Role == messages.Assistant {
				who = "assistant"
			}
			found = append(found, tools.SaidLine{Conversation: info.ID, Title: info.DisplayName(), Who: who, At: place.At, Line: strings.TrimSpace(place.Line)})
		}
		if len(found) > 0 {
			broken = nil // "marvin sessions check" reports unreadable files
		}
		return found, errors.Join(broken, context.Cause(ctx))
	}
}

// bindsElsewhere reports whether a stored conversation mentions a private directory whose text the
// model must not receive. If the conversation cannot be read, bindsElsewhere returns true.
func bindsElsewhere(config *conv.Setup, choice conv.Choice, info sessions.Info) bool {
	bound := false
	for _, rule := range config.Models.Private {
		if config.MayTell(choice, []string{rule.Dir}) == nil {
			continue
		}
		names := func(line []byte) bool {
			bound = bound || bytes.Contains(line, []byte(rule.Dir)) || bytes.Contains(line, []byte(rule.Said))
			return false
		}
		if err := sessions.New(config.Home).Scan(info, names, func(sessions.Entry) bool { return !bound }); err != nil || bound {
			return true
		}
	}
	return false
}
