package ntfy

import (
	"context"
	"errors"
	"slices"
	"strings"

	"marvin/persistence/personal"
	"marvin/tools/internal/push"
)

// Reply is an answer to a question that was sent to the user's private topic.
type Reply struct {
	Yes   bool
	Code  string
	Words string // what to do instead
}

// reply reads "yes CODE" or "no CODE words".
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

// codeLength is how many letters a code has.
const codeLength = 8

const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// NewCode is a code for one question.
func NewCode() string {
	code := make([]byte, codeLength)
	for i := range code {
		code[i] = codeLetters[below(len(codeLetters))]
	}
	return string(code)
}

// ErrNoPrivate means that no topic is the user's alone.
var ErrNoPrivate = errors.New("answers: ntfy needs a private topic; ask Marvin to generate an ntfy topic, and subscribe to it in the ntfy app")

// Private is the topic that Marvin made for a profile: nobody else knows its name.
func (s *Service) Private(profile string) (string, error) {
	all, err := s.subscriptions(profile)
	at := slices.IndexFunc(all, func(one personal.Subscription) bool { return one.Generated })
	if at < 0 {
		return "", errors.Join(err, ErrNoPrivate)
	}
	return all[at].Topic, nil
}

// Tell publishes a message to a topic of a profile. Its id is remembered, so that it is no news.
func (s *Service) Tell(ctx context.Context, profile, topic, title, text string, urgent bool) (id string, err error) {
	if id, err = push.Publish(ctx, s.client, topic, title, text, urgent); err != nil {
		return "", err
	}
	s.mu.Lock()
	s.told[place{profile, topic, id}] = true
	s.mu.Unlock()
	return id, personal.TopicsOf(s.home.Profile(profile)).NoteSent(topic, id)
}

// Replies are the answers that came to a topic since a message, and the last message. Messages that
// were published from here are none: a tool call must not answer.
func (s *Service) Replies(ctx context.Context, profile, topic, since string) (all []Reply, last string, err error) {
	came, err := push.Poll(ctx, s.client, topic, since)
	if err != nil {
		return nil, since, err
	}
	known, _ := s.subscriptions(profile) // an unreadable list has no sent messages
	at := slices.IndexFunc(known, func(one personal.Subscription) bool { return one.Topic == topic })
	for _, message := range came {
		last = message.ID
		if one, is := reply(message.Text); is && at >= 0 && !slices.Contains(known[at].Sent, message.ID) {
			all = append(all, one)
		}
	}
	if last == "" {
		last = since
	}
	return all, last, nil
}
