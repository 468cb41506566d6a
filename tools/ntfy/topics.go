package ntfy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/push"
	"marvin/tools/internal/text"
)

type generateArgs struct {
	Label string `json:"label,omitempty" doc:"What the topic is for" alias:"name" example:"reminders"`
}

func (s *Service) generateTool() tools.Tool {
	return tools.New(tools.Def[generateArgs]{
		Name:   "generate_ntfy_topic",
		Effect: tools.Writes,
		Doc:    "Create a secret ntfy topic and subscribe to it.",
		Examples: []string{
			"generate an ntfy topic for {reminders|label}",
			"make a new ntfy topic",
		},
		Run: s.generate,
	})
}

func (s *Service) generate(_ context.Context, env tools.Env, in generateArgs) (tools.Output, error) {
	topic := newTopic()
	label := text.OneLine(in.Label)
	total, err := personal.TopicsOf(s.home.Profile(env.ProfileName())).Subscribe(personal.Subscription{Topic: topic, Label: label, URL: push.Base + topic, Generated: true})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("subscribe to the new topic: %w", err)
	}
	return tools.Output{Text: fmt.Sprintf("Topic: %s\nURL: %s\nLabel: %s\nSubscribed; topics now: %d. To get messages on a phone, subscribe to the topic in the ntfy app. Anyone who knows the name can read and send messages.%s",
		topic, push.Base+topic, cmp.Or(label, "(none)"), total, warning(err)), Undo: inverseOfSubscription(topic)}, nil
}

type subscribeArgs struct {
	Topic string `json:"topic" doc:"Name or URL of the topic" alias:"url" example:"disk-alerts"`
	Label string `json:"label,omitempty" doc:"What the topic is for" alias:"name"`
}

func (s *Service) subscribeTool() tools.Tool {
	return tools.New(tools.Def[subscribeArgs]{
		Name:   "ntfy_subscribe",
		Sends:  func(_ tools.Env, in subscribeArgs) []tools.Destination { return s.destination(in.Topic, in.Topic) },
		Effect: tools.Outside,
		Doc:    "Subscribe to an ntfy topic. Marvin then adds new messages to each prompt.",
		Examples: []string{
			"subscribe to the ntfy topic {disk-alerts|topic}",
			"follow {disk-alerts|topic} on ntfy as {server|label}",
		},
		Confirm: func(_ tools.Env, in subscribeArgs) (string, string) {
			return "Subscribe to an ntfy topic", "Messages that anybody sends to " + topicName(in.Topic) + " will be shown here, to you and to the model."
		},
		Run: s.subscribe,
	})
}

func (s *Service) subscribe(_ context.Context, env tools.Env, in subscribeArgs) (tools.Output, error) {
	topic, err := checkTopic(in.Topic)
	if err != nil {
		return tools.Output{}, err
	}
	total, err := personal.TopicsOf(s.home.Profile(env.ProfileName())).Subscribe(personal.Subscription{Topic: topic, Label: text.OneLine(in.Label), URL: push.Base + topic})
	if errors.Is(err, personal.ErrSubscribed) {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s already has a subscription", topic), "See ntfy_list.")
	}
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("subscribe to %s: %w", topic, err)
	}
	return tools.Output{Text: fmt.Sprintf("Subscribed to %s. New messages are shown before each prompt. Topics: %d.%s", topic, total, warning(err)), Undo: inverseOfSubscription(topic)}, nil
}

// inverseOfSubscription returns the call that unsubscribes from a topic. The inverse from
// [tools.InverseOf] would fail, because each shown message changes the stored subscription.
func inverseOfSubscription(topic string) *tools.Inverse {
	return tools.UndoneBy("ntfy_unsubscribe", map[string]string{"topic": topic})
}

type unsubscribeArgs struct {
	Topic string `json:"topic" doc:"Name of the topic" alias:"url" example:"disk-alerts"`
}

func (s *Service) unsubscribeTool() tools.Tool {
	return tools.New(tools.Def[unsubscribeArgs]{
		Name:     "ntfy_unsubscribe",
		Effect:   tools.Writes,
		Doc:      "Unsubscribe from an ntfy topic.",
		Examples: []string{"unsubscribe from the ntfy topic {disk-alerts|topic}", "stop following {disk-alerts|topic} on ntfy"},
		Run:      s.unsubscribe,
	})
}

func (s *Service) unsubscribe(_ context.Context, env tools.Env, in unsubscribeArgs) (tools.Output, error) {
	topic := topicName(in.Topic)
	var did personal.Edit
	left, err := personal.TopicsOf(personal.RecordChange(s.home.Profile(env.ProfileName()), &did)).Unsubscribe(topic)
	if errors.Is(err, personal.ErrNotSubscribed) {
		return tools.Output{}, tools.Advise(fmt.Errorf("there is no subscription to %q", topic), "%s", s.known(env))
	}
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("unsubscribe from %s: %w", topic, err)
	}
	return tools.Output{Text: fmt.Sprintf("Unsubscribed from %s. Topics left: %d.%s", topic, left, warning(err)), Undo: tools.InverseOf(did)}, nil
}

// known describes the current subscriptions. The description is added to errors.
func (s *Service) known(env tools.Env) string {
	topics, _ := s.Topics(env.ProfileName())
	if len(topics) == 0 {
		return "There are no subscribed topics. To add one, use ntfy_subscribe or generate_ntfy_topic."
	}
	return "Subscribed to: " + strings.Join(topics, ", ")
}

// topicName extracts the topic from an address such as "https://ntfy.sh/disk-alerts".
func topicName(text string) string {
	text = strings.TrimSpace(text)
	for _, prefix := range []string{"https://", "http://", "ntfy.sh/"} {
		text = strings.TrimPrefix(text, prefix)
	}
	return strings.TrimSuffix(text, "/")
}

func checkTopic(text string) (string, error) {
	topic := topicName(text)
	if !push.Topic(topic) {
		return "", tools.Advise(fmt.Errorf("%q is not a topic", text), "A topic has at most 64 letters, digits, - and _.")
	}
	return topic, nil
}

func warning(err error) string {
	if err == nil {
		return ""
	}
	return "\nWarning: " + err.Error()
}
