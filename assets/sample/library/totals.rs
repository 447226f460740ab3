//! Adds up an export of orders by country.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _};

/// What one country ordered.
#[derive(Debug, Default)]
struct Total {
    orders: u32,
    cents: u64,
}

fn main() -> io::Result<()> {
    let mut totals: BTreeMap<String, Total> = BTreeMap::new();
    for line in io::stdin().lock().lines().skip(1) {
        let line = line?;
        let mut cells = line.rsplit(',');
        let (Some(euro), Some(_items), Some(country)) = (cells.next(), cells.next(), cells.next()) else { continue };
        let total = totals.entry(country.to_owned()).or_default();
        total.orders += 1;
        total.cents += euro.replace('.', "").parse::<u64>().unwrap_or(0);
    }
    for (country, Total { orders, cents }) in &totals {
        println!("{country}  {orders:>6}  {:>12.2} EUR", *cents as f64 / 100.0);
    }
    Ok(())
}
