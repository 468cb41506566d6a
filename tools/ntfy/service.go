package ntfy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/push"
)

// Service publishes messages to topics, and reads the topics of all profiles. It is safe for
// concurrent use.
type Service struct {
	client *http.Client
	home   *persistence.Home

	mu    sync.Mutex
	extra []personal.Subscription // subscriptions from --ntfy
	// told is the set of messages that this process showed or published. A concurrent fetch can
	// return such a message again.
	told map[place]bool
}

type place struct{ profile, topic, id string }

// New returns a Service. It subscribes this process to the extra topics (--ntfy), and skips invalid
// topics.
func New(client *http.Client, home *persistence.Home, extra ...string) *Service {
	s := &Service{client: client, home: home, told: map[place]bool{}}
	for _, topic := range extra {
		if !push.Topic(topic) {
			continue // the user interface reports invalid topics
		}
		s.extra = append(s.extra, personal.Subscription{Topic: topic, SubscribedAt: home.Now().Format(time.RFC3339)})
	}
	return s
}

// subscriptions returns the subscriptions of the profile and of this process.
func (s *Service) subscriptions(profile string) ([]personal.Subscription, error) {
	all, err := personal.TopicsOf(s.home.Profile(profile)).All()
	all = slices.DeleteFunc(all, func(one personal.Subscription) bool { return !push.Topic(one.Topic) })
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, extra := range s.extra {
		if !slices.ContainsFunc(all, func(one personal.Subscription) bool { return one.Topic == extra.Topic }) {
			all = append(all, extra)
		}
	}
	return all, err
}

// Topics returns the names of the topics to which a profile is subscribed.
func (s *Service) Topics(profile string) ([]string, error) {
	all, err := s.subscriptions(profile)
	return lists.Map(all, func(subscription personal.Subscription) string { return subscription.Topic }), err
}

// shownAtOnce is the maximum number of messages shown per topic. Older messages are only counted.
const shownAtOnce = 5

// Fetch returns the messages that arrived on a topic since the last shown message. If no message
// was shown, Fetch starts at the subscription.
func (s *Service) Fetch(ctx context.Context, profile, topic string) ([]messages.Notification, error) {
	all, err := s.subscriptions(profile)
	at := slices.IndexFunc(all, func(one personal.Subscription) bool { return one.Topic == topic })
	if at < 0 {
		return nil, err
	}
	subscription := all[at]
	came, err := push.Poll(ctx, s.client, topic, fetchFrom(subscription))
	if err != nil {
		return nil, err
	}
	var fresh []messages.Notification
	for _, message := range came {
		switch {
		case message.ID == subscription.LastMessageID:
			fresh = nil // the server returned its whole history; this message and all earlier messages are old
		case isReply(message.Text): // s.Replies handles answers
		case !slices.Contains(subscription.Sent, message.ID):
			fresh = append(fresh, messages.Notification{Topic: topic, ID: message.ID, Text: s.say(subscription, message)})
		}
	}
	fresh = s.Unshown(profile, fresh)
	if older := len(fresh) - shownAtOnce; older > 0 {
		fresh = fresh[older-1:]
		fresh[0].Text = fmt.Sprintf("%s: %d earlier messages are not shown", cmp.Or(subscription.Label, topic), older)
	}
	return fresh, nil
}

// fetchFrom returns the ID of the last shown message. If no message was shown, it returns the time
// of the subscription. Subscriptions that the Python version of Marvin stored have no time; for
// these, fetchFrom returns "1h".
func fetchFrom(subscription personal.Subscription) string {
	if subscription.LastMessageID != "" {
		return subscription.LastMessageID
	}
	if from, err := time.Parse(time.RFC3339, subscription.SubscribedAt); err == nil {
		return strconv.FormatInt(from.Unix(), 10)
	}
	return "1h"
}

// say returns a message as one line without control characters.
func (s *Service) say(subscription personal.Subscription, message push.Message) string {
	text := message.Text
	if message.Title != "" {
		text = message.Title + ": " + text
	}
	if message.Attachment.Name != "" {
		text += " [" + message.Attachment.Name + " " + message.Attachment.URL + "]"
	}
	text = tools.Visible(strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " "))
	if runes := []rune(text); len(runes) > 500 {
		text = string(runes[:500]) + "…"
	}
	form := "15:04"
	at := time.Unix(message.Time, 0).In(s.home.Now().Location())
	if s.home.Now().Sub(at) > 12*time.Hour {
		form = "Jan 2 15:04"
	}
	return fmt.Sprintf("%s: %s (%s)", cmp.Or(tools.Visible(subscription.Label), subscription.Topic), text, at.Format(form))
}

// Unshown returns the notifications that this process has not shown yet. It accesses neither the
// network nor the disk.
func (s *Service) Unshown(profile string, all []messages.Notification) []messages.Notification {
	s.mu.Lock()
	defer s.mu.Unlock()
	return lists.Filter(all, func(one messages.Notification) bool { return !s.told[place{profile, one.Topic, one.ID}] })
}

// RecordShown records on disk that these notifications were shown. The oldest must come first. Even
// after an error, this process does not show the notifications again.
func (s *Service) RecordShown(profile string, shown []messages.Notification) error {
	last := map[string]string{}
	var order []string
	s.mu.Lock()
	for _, one := range shown {
		s.told[place{profile, one.Topic, one.ID}] = true
		if last[one.Topic] == "" {
			order = append(order, one.Topic)
		}
		last[one.Topic] = one.ID
	}
	for i := range s.extra {
		s.extra[i].LastMessageID = cmp.Or(last[s.extra[i].Topic], s.extra[i].LastMessageID)
	}
	s.mu.Unlock()
	var failed error
	for _, topic := range order {
		if err := personal.TopicsOf(s.home.Profile(profile)).NoteShown(topic, last[topic]); err != nil && !persistence.OnlyDamage(err) {
			failed = errors.Join(failed, fmt.Errorf("record which messages from the topic were shown: %w", err))
		}
	}
	return failed
}

// destination returns the destination of a message. Everyone who knows the topic can read the
// message.
func (s *Service) destination(topic, payload string) []tools.Destination {
	name := topicName(topic)
	destinations := tools.ToPeople(name, strings.TrimSpace(payload))
	destinations[0].Own = slices.ContainsFunc(s.extra, func(one personal.Subscription) bool { return one.Topic == name })
	return destinations
}
