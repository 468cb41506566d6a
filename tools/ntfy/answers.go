package ntfy

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"marvin/persistence/personal"
	"marvin/tools/internal/push"
)

// Reply is an answer that the user sent on the private topic.
type Reply struct {
	Yes   bool
	Code  string
	Words string // optional instructions after the code
}

// reply parses "yes CODE" or "no CODE words".
func reply(text string) (Reply, bool) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return Reply{}, false
	}
	word, code := strings.ToLower(fields[0]), strings.ToUpper(fields[1])
	if word != "yes" && word != "no" || len(code) != codeLength || strings.Trim(code, codeLetters) != "" {
		return Reply{}, false
	}
	return Reply{Yes: word == "yes", Code: code, Words: strings.Join(fields[2:], " ")}, true
}

func isReply(text string) bool {
	_, is := reply(text)
	return is
}

// codeLength is the number of characters in a code.
const codeLength = 8

const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// NewCode returns a random code that identifies a question.
func NewCode() string {
	code := make([]byte, codeLength)
	for i := range code {
		code[i] = codeLetters[randomBelow(len(codeLetters))]
	}
	return string(code)
}

// ErrNoPrivate means that the user has no private topic.
var ErrNoPrivate = errors.New("the setting \"answers: ntfy\" needs a private topic; ask Marvin to generate an ntfy topic, and subscribe to it in the ntfy app")

// Private returns the name of a profile's private topic. Marvin generated the name, so nobody else
// knows it.
func (s *Service) Private(profile string) (string, error) {
	all, err := s.subscriptions(profile)
	at := slices.IndexFunc(all, func(one personal.Subscription) bool { return one.Generated })
	if at < 0 {
		return "", errors.Join(err, ErrNoPrivate)
	}
	return all[at].Topic, nil
}

// Tell publishes a message to one of the profile's topics. It records the message's ID, so that the
// message is not shown as a notification.
func (s *Service) Tell(ctx context.Context, profile, topic, title, text string, urgent bool) (id string, err error) {
	if id, err = push.Publish(ctx, s.client, topic, title, text, urgent); err != nil {
		return "", err
	}
	s.mu.Lock()
	s.told[place{profile, topic, id}] = true
	s.mu.Unlock()
	return id, personal.TopicsOf(s.home.Profile(profile)).NoteSent(topic, id)
}

// Replies returns the answers that arrived on a topic after the message with the given ID. It also
// returns the ID of the last message. It ignores messages that Marvin published, because a tool
// call must not answer for the user.
func (s *Service) Replies(ctx context.Context, profile, topic, since string) (all []Reply, last string, err error) {
	came, err := push.Poll(ctx, s.client, topic, since)
	if err != nil {
		return nil, since, err
	}
	known, _ := s.subscriptions(profile) // messages on an unknown topic are ignored
	at := slices.IndexFunc(known, func(one personal.Subscription) bool { return one.Topic == topic })
	for _, message := range came {
		last = message.ID
		if one, is := reply(message.Text); is && at >= 0 && !slices.Contains(known[at].Sent, message.ID) {
			all = append(all, one)
		}
	}
	last = cmp.Or(last, since)
	return all, last, nil
}
