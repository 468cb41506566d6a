package ntfy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"marvin/messages"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/push"
)

// Tools returns the tools of this category.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{s.generateTool(), s.subscribeTool(), s.unsubscribeTool(), s.publishTool(), s.listTool()}
}

type publishArgs struct {
	Topic   string `json:"topic" doc:"Name of the topic" alias:"url" example:"disk-alerts"`
	Message string `json:"message" doc:"Text of the message" alias:"text,body" example:"Dinner is ready"`
	Title   string `json:"title,omitempty" doc:"Title of the message"`
}

func (s *Service) publishTool() tools.Tool {
	return tools.New(tools.Def[publishArgs]{
		Name: "ntfy_publish",
		Sends: func(_ tools.Env, in publishArgs) []tools.Destination {
			return s.destination(in.Topic, in.Title+"\n"+in.Message)
		},
		Effect: tools.Outside,
		Doc:    "Send a message to a subscribed ntfy topic.",
		Examples: []string{
			"send {Dinner is ready|message} to the ntfy topic {family|topic}",
			"publish {backup done|message} on ntfy topic {disk-alerts|topic}",
		},
		Pool: tools.Net, Service: "ntfy.sh",
		Confirm: func(_ tools.Env, in publishArgs) (string, string) {
			text := in.Message
			if in.Title != "" {
				text = in.Title + "\n\n" + text
			}
			return "Publish to the ntfy topic " + topicName(in.Topic), text
		},
		Run: s.publish,
	})
}

func (s *Service) publish(ctx context.Context, env tools.Env, in publishArgs) (tools.Output, error) {
	topic, err := checkTopic(in.Topic)
	if err != nil {
		return tools.Output{}, err
	}
	topics, err := s.Topics(env.ProfileName())
	if !slices.Contains(topics, topic) {
		if err != nil {
			return tools.Output{}, err
		}
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is not a subscribed topic, and messages go only to subscribed topics", topic), "%s", s.known(env))
	}
	if strings.TrimSpace(in.Message) == "" {
		return tools.Output{}, errors.New("the message is empty; say what to send")
	}
	id, err := push.Publish(ctx, s.client, topic, in.Title, in.Message, false)
	if err != nil {
		return tools.Output{}, err
	}
	s.mu.Lock()
	s.told[place{env.ProfileName(), topic, id}] = true
	s.mu.Unlock()
	note := personal.TopicsOf(s.home.Profile(env.ProfileName())).NoteSent(topic, id)
	return tools.Output{Text: "Sent to " + topic + "." + warning(note)}, nil
}

type noArgs struct{}

func (s *Service) listTool() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name:     "ntfy_list",
		Doc:      "List the ntfy topics and their new messages.",
		Examples: []string{"list my ntfy topics", "show ntfy subscriptions", "any new ntfy messages"},
		Pool:     tools.Net, Service: "ntfy.sh", Brings: tools.Messages,
		Run: s.list,
	})
}

func (s *Service) list(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
	profile := env.ProfileName()
	all, err := s.subscriptions(profile)
	if len(all) == 0 {
		if err != nil {
			return tools.Output{}, err
		}
		return tools.Output{Text: s.known(env), Own: true}, nil
	}
	came := make([][]messages.Notification, len(all))
	failed := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(8)
	for i, subscription := range all {
		group.Go(func() error {
			came[i], failed[i] = s.Fetch(ctx, profile, subscription.Topic)
			return nil
		})
	}
	_ = group.Wait()
	var text strings.Builder
	for i, subscription := range all {
		fmt.Fprintf(&text, "%d. %s\n   %s\n", i+1, heading(subscription), push.Base+subscription.Topic)
		for _, one := range came[i] {
			fmt.Fprintf(&text, "   🔔 %s\n", one.Text)
		}
		if failed[i] != nil {
			fmt.Fprintf(&text, "   could not be read: %v\n", failed[i])
		} else if len(came[i]) == 0 {
			text.WriteString("   no new messages\n")
		}
	}
	nothing := err == nil && errors.Join(failed...) == nil && len(slices.Concat(came...)) == 0
	err = errors.Join(err, s.RecordShown(profile, slices.Concat(came...)))
	return tools.Output{Text: strings.TrimSuffix(text.String(), "\n") + warning(err), Own: nothing && err == nil}, nil
}

func heading(subscription personal.Subscription) string {
	if subscription.Label == "" {
		return subscription.Topic
	}
	return cmp.Or(tools.Visible(subscription.Label), "?") + " (" + subscription.Topic + ")"
}
