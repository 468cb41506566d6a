package fleet

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/tools"
)

func TestWatchedPrompt(t *testing.T) {
	t.Parallel()
	server, said := fleettest.Start(t), hears()
	f := opened(t, server, "live", said.say)
	s, err := f.Sender(t.Context(), "b1", Begin{Live: true}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	heard := make(chan string, 10)
	begun, ended := make(chan struct{}, 1), make(chan error, 1)
	works(t, &Worker{Fleet: f, About: Announcement{Worker: "w1", Protocol: Protocol, Jobs: 1}, Say: said, Answer: func(ctx context.Context, ask Ask) batch.Result {
		ask.Doing(tools.TaskProgress{Title: strings.Repeat("x", mostLive)})
		ask.Doing(tools.TaskProgress{Usage: messages.Usage{Cost: -1}})
		ask.Doing(tools.TaskProgress{Title: "at " + ask.Prompt.Text, Rounds: 2})
		if ask.Prompt.Text == "long" {
			begun <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return batch.Result{Outcome: messages.Cancelled, Text: "half"}
		}
		<-begun // until it arrived
		return batch.Result{Outcome: messages.Completed, Text: "done"}
	}})
	result, err := s.Ask(t.Context(), asked("1", "short"), func(doing tools.TaskProgress) {
		heard <- doing.Title
		begun <- struct{}{}
	})
	if err != nil || result.Text != "done" || result.Worker != "w1" || len(heard) != 1 || <-heard != "at short" {
		t.Errorf("%+v, %v, %d words", result, err, len(heard))
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-begun
		stop()
	}()
	if result, err := s.Ask(ctx, asked("2", "long"), func(tools.TaskProgress) {}); err != nil || result.Outcome != messages.Cancelled {
		t.Errorf("%+v, %v", result, err)
	}
	select {
	case cause := <-ended:
		if cause != errCancelled {
			t.Errorf("the worker ends for %v", cause)
		}
	case <-time.After(actorstest.Patience):
		t.Fatal("its worker goes on")
	}
	var stored batch.Result
	for stored.ID == "" { // it is stored beside this
		if err := f.Results(t.Context(), "b1", func(one batch.Result) error {
			if one.ID == "2" {
				stored = one
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if stored.Outcome != messages.Cancelled || stored.Text != "half" || stored.Error != errCancelled.Error() {
		t.Errorf("of it is kept %+v", stored)
	}
	again, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if result, err := again.Ask(t.Context(), asked("1", "short"), func(tools.TaskProgress) { t.Error("it is asked again") }); err != nil || result.Text != "done" {
		t.Errorf("%+v, %v", result, err)
	}
	if f.progressSender("b1", "k", task{}) != nil {
		t.Error("a prompt that no one watches tells how far it is")
	}
}

func TestOneWorkerIsDismissed(t *testing.T) {
	t.Parallel()
	server, said := fleettest.Start(t), hears()
	f := opened(t, server, "leave", said.say)
	s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	begun, may := make(chan struct{}), make(chan struct{})
	ended := map[string]chan error{"a": make(chan error, 1), "b": make(chan error, 1)}
	for _, name := range []string{"b", "a"} {
		w := &Worker{Fleet: f, About: Announcement{Worker: name, Protocol: Protocol, Jobs: 1, Dirs: []string{"/" + name}}, Say: said, Answer: func(context.Context, Ask) batch.Result {
			close(begun)
			<-may
			return batch.Result{Outcome: messages.Completed}
		}}
		go func() { ended[name] <- w.Run(t.Context()) }()
	}
	prompt := asked("1", "x")
	prompt.Dir = "/b/c"
	send(t, s, prompt, false)
	<-begun
	names := func() (all []string) {
		t.Helper()
		status, err := f.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range status.Workers {
			all = append(all, one.Worker)
		}
		return all
	}
	for !slices.Equal(names(), []string{"a", "b"}) { // until both told
		if len(names()) > 2 {
			t.Fatal(names())
		}
	}
	if told, err := f.Drain(t.Context(), "c"); told != 0 || err != nil {
		t.Errorf("no one is called c: %d, %v", told, err)
	}
	if told, err := f.Drain(t.Context(), "b"); told != 1 || err != nil {
		t.Errorf("%d, %v", told, err)
	}
	said.await(t, "draining: 1 prompt still being answered")
	close(may)
	if err := <-ended["b"]; err != nil {
		t.Error(err)
	}
	if got := collected(t, s, 1)["1"]; got.Worker != "b" || !slices.Equal(names(), []string{"a"}) {
		t.Errorf("%+v, there is %v", got, names())
	}
	if told, err := f.Drain(t.Context(), ""); told != 1 || err != nil {
		t.Errorf("%d, %v", told, err)
	}
	if err := <-ended["a"]; err != nil || len(names()) != 0 {
		t.Errorf("%v, there is %v", err, names())
	}
}
