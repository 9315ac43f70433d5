//! Process data of Linux: CPU time, memory, open files, and which process listens on a port. Read once a second for the
//! server if it is on this machine. On other systems, or for another user's process, nothing is returned, and the
//! report states that.

use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::time::Duration;

/// Linux reports process times in hundredths of a second, whatever its own clock rate.
const TICKS_PER_SECOND: f64 = 100.0;

/// The usage of a process at one moment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// CPU time since its start.
    pub cpu: Duration,
    /// Resident memory.
    pub rss_bytes: u64,
    /// Open files, if they may be read.
    pub files: Option<u64>,
}

/// The machine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// Usable cores.
    pub cores: u64,
    /// Memory.
    pub memory_bytes: u64,
    /// The kernel's release.
    pub kernel: String,
}

/// The current usage of a process.
pub fn usage(pid: u32) -> Option<Usage> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name may contain anything, including blanks and brackets.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
    let cpu = Duration::from_secs_f64((ticks(11)? + ticks(12)?) as f64 / TICKS_PER_SECOND);
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let rss_bytes = kib(&status, "VmRSS:")? * 1024;
    let files = fs::read_dir(format!("/proc/{pid}/fd")).ok().map(|files| files.count() as u64);
    Some(Usage { cpu, rss_bytes, files })
}

/// CPU time of the calling thread, and the time it waited for a core.
pub fn thread_times() -> Option<(Duration, Duration)> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = text.split_whitespace().map(|number| number.parse().map(Duration::from_nanos));
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The machine this runs on.
pub fn machine() -> Machine {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let processors = read("/proc/cpuinfo");
    let named = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    Machine {
        processor: named.map(|(_, name)| name.trim().to_owned()).unwrap_or_default(),
        cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64),
        memory_bytes: kib(&read("/proc/meminfo"), "MemTotal:").unwrap_or_default() * 1024,
        kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
    }
}

fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The process on this machine that listens there.
pub fn listener(address: SocketAddr) -> Option<u32> {
    let mut inodes = HashSet::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        inodes.extend(listening(&fs::read_to_string(table).unwrap_or_default(), address));
    }
    let names: HashSet<String> = inodes.into_iter().map(|inode| format!("socket:[{inode}]")).collect();
    if names.is_empty() {
        return None;
    }
    let processes = fs::read_dir("/proc").ok()?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let mut owners: Vec<u32> = processes.filter(|pid| holds_one_of(*pid, &names)).collect();
    // Forked workers hold the socket too; the first process is the one that opened it.
    owners.sort_unstable();
    owners.first().copied()
}

fn holds_one_of(pid: u32, names: &HashSet<String>) -> bool {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    let target = |path: &Path| fs::read_link(path).ok()?.to_str().map(str::to_owned);
    files.flatten().any(|file| target(&file.path()).is_some_and(|name| names.contains(&name)))
}

/// Inodes of listening sockets in a table, at this port and either this address or any address.
fn listening(table: &str, address: SocketAddr) -> Vec<u64> {
    const LISTENS: &str = "0A";
    let own = match address.ip() {
        IpAddr::V4(ip) => format!("{:08X}", u32::from_le_bytes(ip.octets())),
        IpAddr::V6(ip) => {
            ip.octets().as_chunks::<4>().0.iter().map(|word| format!("{:08X}", u32::from_le_bytes(*word))).collect()
        }
    };
    let port = format!("{:04X}", address.port());
    let inode = |line: &str| -> Option<u64> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (ip, its_port) = fields.get(1)?.split_once(':')?;
        let fits = its_port == port && (ip == own || ip.bytes().all(|digit| digit == b'0'));
        (fits && *fields.get(3)? == LISTENS).then(|| fields.get(9)?.parse().ok())?
    };
    table.lines().skip(1).filter_map(inode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn local_listener_is_found_and_its_usage_read() {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let pid = listener(socket.local_addr().expect("an address")).expect("this process");
        assert_eq!(pid, std::process::id());
        let now = usage(pid).expect("a process that lives");
        assert!(now.rss_bytes > 1 << 20 && now.files > Some(2), "{now:?}");
        assert_eq!(usage(u32::MAX), None);
    }

    #[test]
    fn the_table_of_sockets_is_read() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1\n\
            1: 0100007F:1F90 0200007F:C000 01 00000000:00000000 00:00000000 00000000     0        0 4712 1\n\
            2: 00000000:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1\n";
        let of = |address: &str| listening(table, address.parse().unwrap());
        assert_eq!(of("127.0.0.1:8080"), [4711]);
        assert_eq!(of("127.0.0.1:8081"), [4713]);
        assert_eq!(of("127.0.0.2:8080"), [0_u64; 0]);
    }

    #[test]
    fn machine_description_is_complete() {
        assert!(machine().cores >= 1);
        assert!(thread_times().is_some());
    }
}
