package fleet

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
	"marvin/tools"
)

func TestABatchIsAnsweredByAWorker(t *testing.T) {
	t.Parallel()
	server, said := fleettest.Start(t), hears()
	f := opened(t, server, "one", said.say)
	begin := Begin{Name: "mine", Host: "here", At: time.Unix(1000, 0).UTC(), Limits: Limits{Rounds: 3, Time: time.Minute}, Held: batch.Restrictions{ReadOnly: true, Tools: []string{"grep"}}, Live: true, MaxCost: 5}
	s, err := f.Sender(t.Context(), "b1", begin, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var mu sync.Mutex
	var asks []Ask
	about := Announcement{Worker: "w1", Host: "h", Marvin: "test", Protocol: Protocol, Providers: []string{"p"}, Roles: []string{"r"}, Labels: []string{"gpu"}, Dirs: []string{"/srv"}, Jobs: 2, Git: true, Model: "m"}
	drain := works(t, &Worker{Fleet: f, About: about, Say: said, Answer: func(_ context.Context, ask Ask) batch.Result {
		mu.Lock()
		defer mu.Unlock()
		asks = append(asks, ask)
		ask.Spend(0.5)
		ask.Doing(tools.TaskProgress{Title: "at it"})
		return batch.Result{ID: "its own", Outcome: messages.Completed, Text: "to " + ask.Prompt.Text, Cost: 0.5, Patch: "+x"}
	}})
	first := asked("1", "one")
	if result, there := send(t, s, first, false); there {
		t.Errorf("there is %+v", result)
	}
	got := collected(t, s, 1)["1"]
	want := batch.Result{ID: "1", Line: 7, Outcome: messages.Completed, Text: "to one", Cost: 0.5, Patch: "+x", Asked: "asked:one", Worker: "w1"}
	got.Usage = messages.Usage{} // of maps without anything
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the result is %+v, want %+v", got, want)
	}
	if ask := asks[0]; !reflect.DeepEqual(ask.Prompt, first) || ask.Limits != begin.Limits || !reflect.DeepEqual(ask.Held, begin.Held) || ask.Left != 5 {
		t.Errorf("the worker was asked %+v", ask)
	}
	emptied(t, f)
	again, err := f.Sender(t.Context(), "b1", begin, time.Now) // the same batch, another time
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if result, there := send(t, again, first, false); !there || result.Text != "to one" || result.Worker != "w1" {
		t.Errorf("the stored answers are %v, %+v", there, result)
	}
	again.Forget("1")
	send(t, again, first, true) // from a process that wants another answer
	changed := asked("1", "one, but else")
	collected(t, again, 1)
	emptied(t, f)
	send(t, again, changed, false)
	if got := collected(t, again, 1)["1"]; got.Text != "to one, but else" {
		t.Errorf("asked for something else the result is %+v", got)
	}
	send(t, again, asked("2", "two"), true) // there is none
	collected(t, again, 2)
	if len(asks) != 4 {
		t.Errorf("the worker was asked %d times", len(asks))
	}
	emptied(t, f)
	status, err := f.Status(t.Context())
	if err != nil || len(status.Workers) != 1 || len(status.Batches) != 1 {
		t.Fatalf("%+v, %v", status, err)
	}
	worker := status.Workers[0]
	if worker.Running, worker.Done = 0, 0; !reflect.DeepEqual(worker, about) {
		t.Errorf("the worker says %+v", worker)
	}
	standing := Standing{ID: "b1", Begin: Begin{Name: "mine", Host: "here", At: begin.At, MaxCost: 5, State: open}, Results: 2, Spent: 2}
	if got := status.Batches[0]; !reflect.DeepEqual(got, standing) {
		t.Errorf("the batch stands as %+v, want %+v", got, standing)
	}
	drain()
	if status, err := f.Status(t.Context()); err != nil || len(status.Workers) != 0 {
		t.Errorf("after its end the worker is there: %+v, %v", status.Workers, err)
	}
}

func TestWorkerIgnoresForeignMessages(t *testing.T) {
	t.Parallel()
	server, said := fleettest.Start(t), hears()
	f := opened(t, server, "odd", said.say)
	s, err := f.Sender(t.Context(), "b1", Begin{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, there := send(t, s, asked("long", "x"), false); there {
		t.Error("there is a result")
	}
	put := func(id, version string, job task) {
		t.Helper()
		data, err := json.Marshal(job)
		if err != nil {
			t.Fatal(err)
		}
		message := nats.NewMsg(f.promptSubject("any", "b1", key(id)))
		message.Data = data
		message.Header.Set(protocolHeader, version)
		if err := f.store(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	put("other", "2", task{Batch: "b1", Prompt: asked("other", "x")})
	put("stranger", "1", task{Protocol: 1, Batch: "b2", Prompt: asked("stranger", "x")})
	put("liar", "1", task{Protocol: 1, Batch: "b1", Prompt: asked("else", "x")})
	long := strings.Repeat("ä", 1<<20)
	listening := s.watchBatch(t.Context()) // hears notes, as Collect does
	defer listening.stop()
	if err := f.conn.Flush(); err != nil {
		t.Fatal(err)
	}
	works(t, &Worker{Fleet: f, About: Announcement{Worker: "w1", Protocol: Protocol, Jobs: 1}, Say: io.Discard, Answer: func(_ context.Context, ask Ask) batch.Result {
		return batch.Result{Outcome: messages.Completed, Text: long, Patch: "+x"}
	}})
	got := collected(t, s, 1)["long"]
	if got.Outcome != messages.Incomplete || got.Patch != "" || len(got.Text) != (1<<20-headroom)/8 || strings.Trim(got.Text, "ä") != "" || got.Error != "the result is 2048 KB long, and the fleet's server takes at most 1020 KB; the text is cut and any patch is left out" {
		t.Errorf("%s, %d bytes, %q, patch %q", got.Outcome, len(got.Text), got.Error, got.Patch)
	}
	said.await(t, `a prompt uses version "2" of the fleet's protocol, but worker w1 uses version 1; the prompt waits for another worker`)
	for {
		status, err := f.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if waiting := status.Batches[0].Waiting; waiting == 1 { // the other two are gone
			break
		}
	}
	if _, there, err := s.Send(t.Context(), asked("huge", long), false); there || err == nil || err.Error() != "the prompt is 4096 KB long, and the fleet's server takes at most 1020 KB" {
		t.Errorf("%v, %v", there, err)
	}
}
