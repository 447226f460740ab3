"""Tells which products will run out before the next delivery."""

from csv import DictReader
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Product:
    sku: str
    name: str
    in_stock: int

    def lasts(self, sold_a_day: float) -> float:
        return self.in_stock / sold_a_day if sold_a_day else float("inf")


def read(path: Path) -> list[Product]:
    with path.open(newline="", encoding="utf-8") as rows:
        return [Product(row["sku"], row["name"], int(row["in_stock"])) for row in DictReader(rows)]


if __name__ == "__main__":
    for product in sorted(read(Path("products.csv")), key=lambda product: product.in_stock):
        days = product.lasts(sold_a_day=6.5)
        if days < 14:
            print(f"{product.sku}  {product.name:24} {days:5.1f} days left")
