package proc

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// When its pipe closes, a guard ends the processes with a mark that it still holds, and no others.
func TestAGuardEndsWhatItHolds(t *testing.T) {
	for lines, dies := range map[string]bool{
		"+MARK\n": true, "+MARK": true, "+OTHER\n+MARK\n-OTHER\n": true, "+MARK\n-MARK\n+MARK\n": true,
		"": false, "MARK\n": false, "+MARK\n-MARK\n": false, "-MARK\n": false, "+MAR\n+\n": false, "+OTHER\n": false, "+MARK \n": false,
	} {
		mark, other := rand.Text(), rand.Text()
		child := exec.Command("cat")
		child.SysProcAttr = sessionAttributes()
		child.Env = []string{"PATH=" + os.Getenv("PATH"), markName + "=" + mark}
		stdin, err := child.StdinPipe()
		if err == nil {
			err = child.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		guardMain(strings.NewReader(strings.NewReplacer("MARK", mark, "OTHER", other).Replace(lines)))
		if err := stdin.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
			t.Error(err)
		}
		err = child.Wait()
		ended := errors.As(err, new(*exec.ExitError)) && child.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
		if ended != dies {
			t.Errorf("%q: killed %v, %v", lines, ended, err)
		}
	}
}
