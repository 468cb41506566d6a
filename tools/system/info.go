package system

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/load"
	"github.com/shirou/gopsutil/v4/mem"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// graphicsTimeout is the timeout for nvidia-smi, which hangs if the driver hangs.
const graphicsTimeout = 3 * time.Second

func (s Service) infoTool() tools.Tool {
	return tools.New(tools.Def[struct{}]{
		Name:     "system_info",
		Doc:      "Show this computer: operating system, processor and load, memory, disk, uptime, battery and graphics card.",
		Examples: []string{"system info", "how much memory is free", "how full is the disk", "battery level"},
		Timeout:  10 * time.Second,
		Run:      s.info,
	})
}

// info returns one line for each property that this machine has. If a property cannot be read, its
// line gives the reason.
func (s Service) info(ctx context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
	var out strings.Builder
	for _, entry := range []struct {
		name string
		read func(context.Context, tools.Env) (string, error)
	}{
		{"OS", operatingSystem},
		{"CPU", processor},
		{"Load", loadAverage},
		{"Memory", memory},
		{"Disk", disks},
		{"Uptime", uptime},
		{"Battery", s.battery},
		{"GPU", graphics},
	} {
		text, err := entry.read(ctx, env)
		if err != nil {
			text = fmt.Sprintf("cannot be read (%v)", err)
		}
		if text != "" {
			fmt.Fprintf(&out, "%s: %s\n", entry.name, text)
		}
	}
	return tools.Output{Text: strings.TrimSuffix(out.String(), "\n")}, nil
}

func operatingSystem(ctx context.Context, _ tools.Env) (string, error) {
	kernel, err := host.KernelVersionWithContext(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (%s %s, %s)", distribution(ctx), runtime.GOOS, kernel, runtime.GOARCH), nil
}

// distribution returns the operating system's name. On Linux, the name comes from /etc/os-release,
// because gopsutil would run lsb_release.
func distribution(ctx context.Context) string {
	if runtime.GOOS != "linux" {
		name, _, version, err := host.PlatformInformationWithContext(ctx)
		if err != nil {
			return runtime.GOOS
		}
		return name + " " + version
	}
	data, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return "Linux"
	}
	return prettyName(string(data))
}

func prettyName(release string) string {
	for line := range strings.Lines(release) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(value, `"'`)
		}
	}
	return "Linux"
}

func processor(ctx context.Context, _ tools.Env) (string, error) {
	threads := runtime.NumCPU()
	infos, err := cpu.InfoWithContext(ctx)
	if err != nil || len(infos) == 0 || infos[0].ModelName == "" {
		return fmt.Sprintf("%d threads", threads), err
	}
	return fmt.Sprintf("%s, %d threads", strings.Join(strings.Fields(infos[0].ModelName), " "), threads), nil
}

func loadAverage(ctx context.Context, _ tools.Env) (string, error) {
	average, err := load.AvgWithContext(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.2f, %.2f, %.2f (1, 5, 15 minutes)", average.Load1, average.Load5, average.Load15), nil
}

func memory(ctx context.Context, _ tools.Env) (string, error) {
	state, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%s available of %s", size(state.Available), size(state.Total))
	if state.SwapTotal > 0 {
		text += fmt.Sprintf(", swap %s free of %s", size(state.SwapFree), size(state.SwapTotal))
	}
	return text, nil
}

// disks returns a description of the disk of the root directory. If the home directory is on
// another disk, the function describes both disks.
func disks(ctx context.Context, env tools.Env) (string, error) {
	root, err := disk.UsageWithContext(ctx, "/")
	if err != nil {
		return "", err
	}
	text := "/ " + fill(root)
	if env.Home == "" {
		return text, nil
	}
	home, err := disk.UsageWithContext(ctx, env.Home)
	if err != nil || home.Total == root.Total && home.Free == root.Free {
		return text, err
	}
	return text + "; " + env.Home + " " + fill(home), nil
}

func fill(state *disk.UsageStat) string {
	return fmt.Sprintf("%s free of %s (%.0f%% used)", size(state.Free), size(state.Total), state.UsedPercent)
}

func uptime(ctx context.Context, _ tools.Env) (string, error) {
	seconds, err := host.UptimeWithContext(ctx)
	if err != nil {
		return "", err
	}
	days, rest := seconds/86400, time.Duration(seconds%86400)*time.Second
	return fmt.Sprintf("%dd %dh %dm", days, int(rest.Hours()), int(rest.Minutes())%60), nil
}

// battery returns "" for a computer without a battery.
func (s Service) battery(context.Context, tools.Env) (string, error) {
	found, err := filepath.Glob(filepath.Join(s.batteries, "*", "capacity"))
	if err != nil {
		return "", err
	}
	var texts []string
	for _, path := range found {
		if attribute(path, "scope") == "Device" { // the battery of a mouse or a keyboard
			continue
		}
		texts = append(texts, fmt.Sprintf("%s%% (%s)", attribute(path, "capacity"), strings.ToLower(attribute(path, "status"))))
	}
	return strings.Join(texts, ", "), nil
}

// attribute returns the content of the named file in filepath.Dir(path). If the file cannot be
// read, the result is "".
func attribute(path, name string) string {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(path), name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// graphics returns nvidia-smi's data about the graphics cards. It returns "" if nvidia-smi is not
// installed.
func graphics(ctx context.Context, env tools.Env) (string, error) {
	program, err := proc.Find("nvidia-smi", env.Environ)
	if errors.Is(err, proc.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, graphicsTimeout, fmt.Errorf("nvidia-smi took longer than %s", graphicsTimeout))
	defer cancel()
	result, err := proc.Run(ctx, proc.Command{
		Name: program, Args: []string{"--query-gpu=name,memory.used,memory.total,utilization.gpu", "--format=csv,noheader,nounits"},
		Dir: "/", Environ: env.Environ, Limit: 16 << 10,
	})
	if err != nil {
		return "", err
	}
	if result.ExitCode != 0 {
		return "", fmt.Errorf("nvidia-smi ended with %d", result.ExitCode)
	}
	return cards(result.Stdout.Text()), nil
}

// cards converts lines such as "NVIDIA T4, 310, 15360, 7" to readable text. The fields of a line
// are name, used memory and total memory in MiB, and load in percent.
func cards(table string) string {
	var texts []string
	for line := range strings.Lines(table) {
		fields := strings.Split(line, ",")
		if len(fields) != 4 {
			continue
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		texts = append(texts, fmt.Sprintf("%s, %s of %s MiB used, %s%% busy", fields[0], fields[1], fields[2], fields[3]))
	}
	return strings.Join(texts, "; ")
}

func size(bytes uint64) string {
	return strconv.FormatFloat(float64(bytes)/(1<<30), 'f', 1, 64) + " GiB"
}
