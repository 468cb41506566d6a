package window

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/host"
	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/rpc"
)

// RunAlone runs a conversation without a window. The conversation begins with the given prompt.
func (h *liveTalk) RunAlone(ctx context.Context, prompt string, stderr *cli.TranscriptWriter) error {
	close(h.alone)
	if err := h.reachable(); err != nil {
		live.End(h.Client)
		return err
	}
	window, err := h.Window("marvin start", messages.RoleDrive, true)
	if err != nil {
		return err
	}
	in, end := io.Pipe()
	defer func() { _ = end.Close() }()
	server := rpc.Server{
		Client: window, In: in, Out: io.Discard, Marvin: h.parts.World.Version, First: prompt,
		Picture: host.PictureHost{App: h.parts}.Check,
		Engine: func(front command.Front) *command.Engine {
			engine := host.NewJoinedEngine(h.parts, window, front)
			engine.Pictures.First = h.parts.Pictures
			return engine
		},
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Run(ctx) // the output is discarded
	}()
	if err := h.tellStarter(ctx, stderr); err != nil {
		live.End(h.Client)
		return err
	}
	live.Hold(ctx, h.Client, h.works, parkTime(h.parts), h.parts.World.Now)
	<-ended
	return nil
}

// tellStarter prints the conversation's id on standard output, then releases the standard streams.
func (h *liveTalk) tellStarter(ctx context.Context, stderr *cli.TranscriptWriter) error {
	ctx, cancel := context.WithTimeout(ctx, Beginning)
	defer cancel()
	ticker := time.NewTicker(polling)
	defer ticker.Stop()
	for now := h.Live(); now.ID == "" && !h.parts.Opts.NoSession && now.State != messages.LiveDone; now = h.Live() {
		select {
		case <-ticker.C:
		case <-h.Done():
			return errors.New("the conversation ended while it was starting")
		case <-ctx.Done():
			return fmt.Errorf("the conversation did not get an id: %w", ctx.Err())
		}
	}
	err := live.SendID(h.parts.World.Stdout, strings.TrimSpace(h.id()))
	var files []*os.File
	for _, stream := range []any{h.parts.World.Stdin, cli.Unwrapped(h.parts.World.Stdout), stderr.Discard()} {
		if file, is := stream.(*os.File); is && file != nil {
			files = append(files, file)
		}
	}
	return errors.Join(err, live.ReleaseTerminal(files...))
}

// Beginning is the time limit for starting a windowless conversation.
const Beginning = 60 * time.Second

const polling = 20 * time.Millisecond
