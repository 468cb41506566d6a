package rpc

import (
	"cmp"
	"context"
	"time"

	"marvin/messages"
	"marvin/messages/jsonlines"
	"marvin/ui/internal/beside"
	"marvin/ui/jsonl"
)

// Run serves until the conversation has closed. When ctx is done or the input ends, Run cancels the
// running turn and closes the conversation.
func (s *Server) Run(ctx context.Context) error {
	s.out, s.work = jsonl.NewWriter(s.Out), beside.New()
	s.done, s.ended = make(chan func()), make(chan struct{})
	s.engine = s.Engine(front{server: s})
	s.engine.Talk = &s.talk
	lines, noMore := s.work.Lines(s.In, s.ended)
	result := make(chan error, 1)
	following, stop := context.WithCancel(context.Background())
	defer stop()
	s.work.Start(func() { // run in the background: a write to a full pipe can block forever
		err := s.loop(lines, s.work.Follow(following, s.Client))
		s.engine.Finish(s.grace() * 3 / 5)
		result <- err
	}, func() { close(s.ended) })
	return s.work.Await(ctx, result, noMore, func() { s.Client.Send(messages.Quit{}) }, s.grace())
}

func (s *Server) grace() time.Duration { return cmp.Or(s.Grace, 5*time.Second) }

// loop owns the engine and the output.
func (s *Server) loop(lines <-chan jsonlines.Line, batches <-chan []messages.Envelope) error {
	s.write(hello{Version: messages.WireVersion, Type: "hello", Marvin: s.Marvin, Types: append(messages.OpNames(), lineType)})
	if s.First != "" {
		s.engine.Begin(s.First)
	}
	for s.broken == nil {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
				s.leave()
				continue
			}
			s.take(line)
		case batch, ok := <-batches:
			if !ok {
				s.engine.Cancel()
				return nil
			}
			s.tell(batch)
		case then := <-s.done:
			then()
		}
	}
	s.leave()
	return s.broken
}

// leave cancels the engine's work and closes the conversation.
func (s *Server) leave() {
	s.engine.Cancel()
	s.Client.Send(messages.Quit{})
}

// tell sends events to the engine and the client.
func (s *Server) tell(batch []messages.Envelope) {
	lines := make([]any, 0, len(batch))
	for _, envelope := range batch {
		s.talk.Apply(envelope)
		s.engine.Hear(envelope)
		if all := messages.ImagesOf(envelope.Event); s.Images && all != nil {
			lines = append(lines, images{Version: messages.WireVersion, Type: ImagesType, Images: all})
		}
		lines = append(lines, envelope)
	}
	s.write(lines...)
}

func (s *Server) write(lines ...any) {
	if s.broken == nil {
		s.broken = s.out.Write(lines...)
	}
}
